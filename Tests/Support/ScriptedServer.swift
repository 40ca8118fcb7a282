import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 whose every byte a test decides: broken bodies, lost answers, cut
/// connections. Each connection has a thread of its own, on which the script runs.
///
///     let server = try ScriptedServer(answering: { request in
///         request.path == "/fmsg" ? .json("[]") : .status(404)
///     })
public final class ScriptedServer: Sendable {
    private struct State: Sendable {
        var connections: [ScriptedConnection] = []
        var accepted = 0
        var requests: [ScriptedRequest] = []
        var isStopped = false
    }

    /// What the accepting thread shares with the server, so that it does not keep it alive.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    public let port: UInt16
    private let listener: Int32
    private let shared = Shared()

    /// What to request: "http://127.0.0.1:PORT".
    public var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were accepted.
    public var connectionCount: Int { shared.state.withLock(\.accepted) }
    /// The requests that were read whole, in order.
    public var requests: [ScriptedRequest] { shared.state.withLock(\.requests) }

    /// A server that answers request after request on each connection.
    public convenience init(
        answering answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
    ) throws {
        try self.init { connection in
            while let request = connection.readRequest(), connection.send(answer(request)) {}
        }
    }

    /// A server that gives each connection to `script`, and closes it when `script` returns.
    public init(
        connection script: @escaping @Sendable (ScriptedConnection) -> Void
    ) throws {
        (listener, port) = try Self.listen()
        let (listener, shared) = (listener, shared)
        startThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                let connection = ScriptedConnection(descriptor) { request in
                    shared.state.withLock { $0.requests.append(request) }
                }
                let isStopped = shared.state.withLock { state in
                    state.accepted += 1
                    state.connections.append(connection)
                    return state.isStopped
                }
                guard !isStopped else { return connection.close() }
                startThread {
                    script(connection)
                    connection.close()
                }
            }
        }
    }

    /// Ends all connections and accepts no more.
    public func stop() {
        let connections = shared.state.withLock { state -> [ScriptedConnection]? in
            if state.isStopped { return nil }
            state.isStopped = true
            return state.connections
        }
        guard let connections else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for connection in connections { connection.interrupt() }
    }

    deinit {
        stop()
    }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else {
                return -1
            }
            guard bind(listener, pointer, size) == 0, Glibc.listen(listener, 128) == 0 else {
                return -1
            }
            return getsockname(listener, pointer, &size)
        }
        guard listener >= 0, result == 0 else { throw ScriptedServerError(code: errno) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}

/// The system refused a socket; `code` is its errno.
public struct ScriptedServerError: Error {
    public let code: Int32
}

/// Runs `body` on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    let code = pthread_create(
        &thread, nil,
        { context in
            if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }, context)
    guard code == 0 else { return Unmanaged<Box>.fromOpaque(context).release() }
    pthread_detach(thread)
}
