import FmsgHost
import Synchronization

/// A throw-away host with the users alice, bob and carol at example.com: real sockets on a free
/// loopback port, a real store in a folder that goes with it.
public final class TestHost: Sendable {
    public let host: EmbeddedHost
    /// Each request that was served, as `GET /fmsg/sent`.
    public let requests: RequestLog
    private let keys: [String: String]
    private let folder: TemporaryFolder

    /// Starts the host; `configure` may change its configuration before.
    public init(
        users: [String] = ["alice", "bob", "carol"],
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        // In memory where the system has a place for that: a test does not outlive a power cut.
        let prefix = "fmsg-test-host"
        let inMemory = try? TemporaryFolder(in: "/dev/shm", prefix: prefix)
        let folder = try inMemory ?? TemporaryFolder(prefix: prefix)
        let requests = RequestLog()
        var configuration = HostConfiguration(dataFolder: folder.path, domain: "example.com")
        configuration.onRequest = { requests.append("\($0) \($1)") }
        configure(&configuration)
        do {
            host = try EmbeddedHost(configuration)
            var keys: [String: String] = [:]
            for user in users { keys[user] = try host.addUser(Self.address(user)) }
            try host.start()
            self.keys = keys
        } catch {
            folder.remove()
            throw error
        }
        self.folder = folder
        self.requests = requests
    }

    deinit { stop() }

    public var url: String { host.url }

    public var port: UInt16 { url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    public var dataFolder: String { folder.path }

    /// The API key of a user by its name before the `@`; empty for one that was not added.
    public func key(_ user: String) -> String { keys[user] ?? "" }

    /// A user's token, as an identity provider would give it.
    public func ownerToken(_ user: String) throws -> String {
        try host.ownerToken(for: Self.address(user), lifetime: 3600).token
    }

    /// `@user@example.com`.
    public static func address(_ user: String) -> String { "@\(user)@example.com" }

    /// Stops the host and removes its folder.
    public func stop() {
        host.stop()
        folder.remove()
    }
}

/// The requests that a host has served, in the order they came.
public final class RequestLog: Sendable {
    private let lines = Mutex<[String]>([])

    public init() {}

    public var all: [String] { lines.withLock { $0 } }

    public var count: Int { lines.withLock { $0.count } }

    public func clear() { lines.withLock { $0 = [] } }

    /// Appends a line and says how often it was there before.
    func appendCounting(_ line: String) -> Int {
        lines.withLock { lines in
            defer { lines.append(line) }
            return lines.count { $0 == line }
        }
    }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
