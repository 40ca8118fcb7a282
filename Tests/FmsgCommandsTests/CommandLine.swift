import CommandLineTool
import FmsgCommands
import FmsgCore
import FmsgTransport
import TestSupport
import Testing

/// What one run of `fmsg` gave.
struct Run: Sendable {
    let exitCode: ExitCode
    let out: String
    let err: String

    /// stdout as the one JSON value that it must be.
    var json: JSON {
        get throws { try JSON.read(out) }
    }

    /// stdout as lines.
    var lines: [String] { out.split(separator: "\n").map(String.init) }
}

/// One user's command line: the real program in this process, over the real transport, with
/// a folder of its own and no home.
struct CommandLine: Sendable {
    var environment: Environment
    var terminals: Set<StandardStream> = []
    var columns = 80
    var typed: String?
    /// Nil for clocks that stand still.
    var time: TimeSource?

    /// What its clock shows, in POSIX seconds.
    static let now = 1_790_000_000.0

    /// - Parameter url: the host, or what stands before it.
    init(url: String, key: String?, cache: String? = nil) {
        environment = ["FMSG_API_URL": url]
        if let key { environment["FMSG_API_KEY"] = key }
        if let cache { environment["XDG_CACHE_HOME"] = cache }
    }

    init(_ host: TestHost, as user: String) {
        self.init(url: host.url, key: host.key(user))
    }

    /// An owner with a token of an identity provider, and a folder for profiles.
    init(_ host: TestHost, owner: String, home: String? = nil) throws {
        self.init(url: host.url, key: nil)
        environment["FMSG_TOKEN"] = try host.ownerToken(owner)
        environment["HOME"] = home
    }

    /// With nothing but a home: what profiles alone can do.
    init(home: String) {
        self.init(url: "", key: nil)
        environment["FMSG_API_URL"] = nil
        environment["HOME"] = home
    }

    func run(_ arguments: String..., input: String = "") async -> Run {
        await run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String = "") async -> Run {
        var runtime = Runtime.forTesting(
            arguments, environment: environment, input: input, terminals: terminals,
            columns: columns, now: Self.now, typed: typed)
        if let time { runtime.time = time }
        let program = FmsgProgram(
            runtime: runtime, transportVersion: { CurlLibrary.version },
            makeTransport: { CurlTransport(settings: $0) })
        let exitCode = await program.run()
        return Run(
            exitCode: exitCode, out: runtime.standardOutput.contents,
            err: runtime.standardError.contents)
    }

    /// Sends a message that must go out, and gives its id.
    func send(_ arguments: String...) async throws -> String {
        let sent = await run(["send"] + arguments)
        try #require(sent.exitCode == .done, "\(sent.err)")
        return sent.out.filter { $0 != "\n" }
    }
}

extension JSON {
    subscript(key: String) -> JSON? { object?[key] }
    subscript(index: Int) -> JSON? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}
