import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 whose every byte a test decides: broken bodies, lost answers, cut
/// connections. Each connection has a thread of its own, on which the script runs.
/// It serves until ``stop()``, whether or not the test still holds it.
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

    public let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    /// What to request: "http://127.0.0.1:PORT".
    public var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were accepted.
    public var connectionCount: Int { state.withLock(\.accepted) }
    /// The requests that were read whole, in order.
    public var requests: [ScriptedRequest] { state.withLock(\.requests) }

    /// A server that answers request after request on each connection.
    public convenience init(
        port: UInt16 = 0,
        answering answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
    ) throws {
        try self.init(
            port: port,
            connection: { connection in
                while let request = connection.readRequest(), connection.send(answer(request)) {}
            })
    }

    /// A server that gives each connection to `script`, and closes it when `script` returns.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free; else that of a server that was stopped.
    ///   - receiveBuffer: bytes that the system keeps for a script that does not read; nil for
    ///     its own choice.
    public init(
        port: UInt16 = 0, receiveBuffer: Int32? = nil,
        connection script: @escaping @Sendable (ScriptedConnection) -> Void
    ) throws {
        (listener, self.port) = try Self.bind(port: port)
        if var receiveBuffer {
            setsockopt(
                listener, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
                socklen_t(MemoryLayout<Int32>.size))
        }
        guard listen(listener, 128) == 0 else { throw ScriptedServerError(code: errno) }
        startThread {
            while let connection = self.acceptConnection() {
                startThread {
                    script(connection)
                    connection.close()
                }
            }
        }
    }

    /// Ends all connections; from its return on new ones are refused.
    public func stop() {
        let connections = state.withLock { state in
            if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
            state.isStopped = true
            return state.connections
        }
        for connection in connections { connection.interrupt() }
    }

    /// The next connection; nil once the server is stopped, when the listener is closed here, as
    /// a closed number may be another server's the next moment.
    private func acceptConnection() -> ScriptedConnection? {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                state.withLock { state in
                    state.isStopped = true
                    _ = close(listener)
                }
                return nil
            }
            // A program that another test starts would else keep it open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = ScriptedConnection(descriptor) { request in
                self.state.withLock { $0.requests.append(request) }
            }
            let isStopped = state.withLock { state in
                state.accepted += 1
                state.connections.append(connection)
                return state.isStopped
            }
            if isStopped { connection.close() }
            return connection
        }
    }

    /// A port at which nobody listens, or will for as long as the process lives.
    public static func closedPort() throws -> UInt16 {
        try bind(port: 0).port
    }

    private static func bind(port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isReusable: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable,
            socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, size) == 0
                    ? getsockname(descriptor, pointer, &size) : -1
            }
        }
        guard descriptor >= 0, result == 0 else { throw ScriptedServerError(code: errno) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

/// The system refused a socket; `code` is its errno.
public struct ScriptedServerError: Error {
    public let code: Int32
}
