#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A real HTTP proxy on loopback: it forwards requests (RFC 9112, section 3.2.2) and makes tunnels
/// (RFC 9110, section 9.3.6), where need be for a user and a password alone (RFC 7617).
///
/// It knows the way to its hosts by name, as a resolver would: names that no resolver knows show
/// that nothing went around it.
public final class ForwardProxy: Sendable {
    private let server: ScriptedServer

    public var port: UInt16 { server.port }

    /// The requests that it read, refused ones among them.
    public var requests: [ScriptedRequest] { server.requests }

    /// - Parameters:
    ///   - hosts: the ports on loopback that names stand for.
    ///   - credentials: `user:password`; nil lets everybody in.
    public init(to hosts: [String: UInt16], credentials: String? = nil) throws {
        let wanted = credentials.map { "Basic \(Data($0.utf8).base64EncodedString())" }
        server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                guard wanted == nil || request.header("Proxy-Authorization") == wanted else {
                    let challenge = ["Proxy-Authenticate: Basic realm=\"proxy\""]
                    guard connection.send(.answer(status: 407, headers: challenge, body: []))
                    else { return }
                    continue
                }
                let target = request.path.firstRange(of: "://").map {
                    request.path[$0.upperBound...]
                }
                let authority = (target ?? request.path[...]).prefix { $0 != "/" }
                let name = authority.prefix { $0 != ":" }
                guard let port = hosts[String(name)] else {
                    guard connection.send(.status(502)) else { return }
                    continue
                }
                guard request.method == "CONNECT" else {
                    var forwarded = request
                    forwarded.path = String(target?.dropFirst(authority.count) ?? "/")
                    forwarded.headers.removeAll { $0.name.lowercased().hasPrefix("proxy-") }
                    guard connection.write(FaultProxy.forward(forwarded, to: port)) else { return }
                    continue
                }
                return Self.tunnel(connection, to: port)
            }
        }
    }

    public func stop() { server.stop() }

    deinit { stop() }

    private static func tunnel(_ client: ScriptedConnection, to port: UInt16) {
        guard let host = HostConnection(port: port) else {
            client.send(.status(502))
            return
        }
        guard client.write("HTTP/1.1 200 Connection established\r\n\r\n") else { return }
        let ended = OneShot()
        startThread {
            while case let piece = client.read(), !piece.isEmpty, host.write(piece) {}
            host.shutDown()
            ended.fire()
        }
        while case let piece = host.read(), !piece.isEmpty, client.write(piece) {}
        host.shutDown()
        client.interrupt()
        ended.wait()
        host.close()
    }
}
