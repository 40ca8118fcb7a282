import Glibc

/// Stands between a client and a real host, and loses what a test wants lost.
public final class FaultProxy: Sendable {
    /// What befalls one request.
    public enum Fault: Sendable, Equatable {
        case none
        /// It never reaches the host: the connection is cut.
        case requestLost
        /// The host does what is asked, and its answer is lost.
        case answerLost
        /// The host does what is asked, and the first bytes of its answer come through.
        case answerCut(after: Int)
    }

    private let server: ScriptedServer

    public var url: String { server.url }
    public var requests: [ScriptedRequest] { server.requests }

    /// - Parameters:
    ///   - url: of the real host, on loopback.
    ///   - fault: what befalls a request, asked in order; the number counts from 0 the requests
    ///     of that method and path.
    public init(
        to url: String,
        fault: @escaping @Sendable (_ request: ScriptedRequest, _ number: Int) -> Fault
    ) throws {
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        let counts = RequestLog()
        server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                let line = "\(request.method) \(request.path)"
                let number = counts.all.count { $0 == line }
                counts.append(line)
                switch fault(request, number) {
                case .none: guard connection.write(Self.forward(request, to: port)) else { return }
                case .requestLost: return
                case .answerLost:
                    _ = Self.forward(request, to: port)
                    return
                case .answerCut(let length):
                    connection.write(Array(Self.forward(request, to: port).prefix(length)))
                    return
                }
            }
        }
    }

    public func stop() { server.stop() }

    deinit { stop() }

    /// The host's whole answer to the request, by a connection of its own.
    private static func forward(_ request: ScriptedRequest, to port: UInt16) -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return [] }
        var head = "\(request.method) \(request.path) HTTP/1.1\r\n"
        for (name, value) in request.headers
        where !["connection", "content-length", "transfer-encoding"].contains(name.lowercased()) {
            head += "\(name): \(value)\r\n"
        }
        head += "Content-Length: \(request.body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + request.body
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return [] }
            sent += count
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }
}
