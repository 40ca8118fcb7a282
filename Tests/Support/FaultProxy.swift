import Glibc

/// Stands between a client and a real host, and loses what a test wants lost.
public final class FaultProxy: Sendable {
    /// What befalls one request.
    public enum Fault: Sendable {
        case none
        /// It never reaches the host: the connection is cut.
        case requestLost
        /// The host does what is asked, and its answer is lost.
        case answerLost
        /// The host does what is asked, then this is called, and the answer is lost.
        case answerLostAfter(@Sendable () -> Void)
        /// The host does what is asked, and the first bytes of its answer come through.
        case answerCut(after: Int)
        /// The proxy answers itself; the host never hears of it.
        case answered(ScriptedAnswer)
        /// Of a WebSocket: so many bytes from the host come through, its answer to the upgrade
        /// among them, and the connection is cut.
        case socketCut(after: Int)
        /// Of a WebSocket: the same, but it stays open and silent, as when a peer vanishes.
        case socketSilent(after: Int)
        /// Of a WebSocket: these bytes come after the answer to the upgrade, as if from the host.
        case socketInjected([UInt8])
    }

    private let server: ScriptedServer

    public var url: String { server.url }
    public var requests: [ScriptedRequest] { server.requests }

    /// - Parameters:
    ///   - url: of the real host, on loopback; asked at each request, since a host that comes
    ///     back has another port.
    ///   - fault: what befalls a request, asked in order; the number counts from 0 the requests
    ///     of that method and path.
    public init(
        to url: @escaping @Sendable () -> String,
        fault: @escaping @Sendable (_ request: ScriptedRequest, _ number: Int) -> Fault = { _, _ in
            .none
        }
    ) throws {
        let counts = RequestLog()
        server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                let line = "\(request.method) \(request.path.prefix { $0 != "?" })"
                let number = counts.appendCounting(line)
                let port = UInt16(url().split(separator: ":").last ?? "") ?? 0
                let fault = fault(request, number)
                switch fault {
                case .requestLost: return
                case .answered(let answer): guard connection.send(answer) else { return }
                case .answerLost:
                    _ = Self.forward(request, to: port)
                    return
                case .answerLostAfter(let act):
                    _ = Self.forward(request, to: port)
                    act()
                    return
                case .answerCut(let length):
                    connection.write(Array(Self.forward(request, to: port).prefix(length)))
                    return
                case _ where request.header("Upgrade") != nil:
                    return Self.relay(request, connection, to: port, fault)
                default: guard connection.write(Self.forward(request, to: port)) else { return }
                }
            }
        }
    }

    /// A proxy before a host that stays where it is.
    public convenience init(
        to url: String,
        fault: @escaping @Sendable (_ request: ScriptedRequest, _ number: Int) -> Fault = { _, _ in
            .none
        }
    ) throws {
        try self.init(to: { url }, fault: fault)
    }

    public func stop() { server.stop() }

    deinit { stop() }

    // MARK: Requests

    /// The host's whole answer to the request, by a connection of its own.
    static func forward(_ request: ScriptedRequest, to port: UInt16) -> [UInt8] {
        guard let host = HostConnection(port: port) else { return [] }
        defer { host.close() }
        let unwanted = ["connection", "content-length", "transfer-encoding"]
        let head = head(
            of: request, without: unwanted,
            adding: ["Content-Length: \(request.body.count)", "Connection: close"])
        guard host.write(head + request.body) else { return [] }
        var answer: [UInt8] = []
        while case let piece = host.read(), !piece.isEmpty { answer += piece }
        return answer
    }

    private static func head(
        of request: ScriptedRequest, without unwanted: [String] = [], adding lines: [String] = []
    ) -> [UInt8] {
        let kept = request.headers.filter { !unwanted.contains($0.name.lowercased()) }
        let all =
            ["\(request.method) \(request.path) HTTP/1.1"]
            + kept.map { "\($0.name): \($0.value)" } + lines
        return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    // MARK: WebSockets

    private static func relay(
        _ request: ScriptedRequest, _ client: ScriptedConnection, to port: UInt16, _ fault: Fault
    ) {
        guard let host = HostConnection(port: port), host.write(head(of: request)) else { return }
        let ended = OneShot()
        startThread {
            while case let piece = client.read(), !piece.isEmpty, host.write(piece) {}
            host.shutDown()
            ended.fire()
        }
        var room = Int.max
        if case .socketCut(let count) = fault { room = count }
        if case .socketSilent(let count) = fault { room = count }
        var injected: [UInt8] = []
        if case .socketInjected(let bytes) = fault { injected = bytes }
        while room > 0, case let piece = host.read(), !piece.isEmpty {
            guard client.write(Array(piece.prefix(room))) else { break }
            room -= min(room, piece.count)
            if !injected.isEmpty {
                guard client.write(injected) else { break }
                injected = []
            }
        }
        if case .socketSilent = fault, room == 0 {
            // The host's words are thrown away until the client gives up.
            while case let piece = host.read(), !piece.isEmpty {}
        }
        host.shutDown()
        client.interrupt()
        ended.wait()
        host.close()
    }
}

/// Lets a thread wait for another once.
final class OneShot: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var pair: [Int32] = [-1, -1]
        _ = pipe(&pair)
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func fire() { _ = Glibc.write(ends.write, [1], 1) }

    func wait() {
        var byte: UInt8 = 0
        _ = Glibc.read(ends.read, &byte, 1)
    }
}

/// A connection to a host on loopback.
final class HostConnection: Sendable {
    let descriptor: Int32

    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            Glibc.close(descriptor)
            return nil
        }
    }

    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// What came; empty at the end.
    func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, size in
            size = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// Ends both directions; whoever reads is told.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// To be called once nobody reads any more.
    func close() { Glibc.close(descriptor) }
}
