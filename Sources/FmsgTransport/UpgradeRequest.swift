import FmsgCore
import WebSocketFrames

/// The opening handshake of a WebSocket as a client sends it (RFC 6455, section 4.1).
struct UpgradeRequest: Sendable {
    private let key: String
    /// What to send.
    let bytes: [UInt8]

    init(_ request: TransportRequest, to endpoint: CurlEndpoint, userAgent: String) {
        var random = SystemRandomNumberGenerator()
        key = WebSocketHandshake.key(using: &random)
        let own = [
            Header("Host", endpoint.authority), Header("Upgrade", "websocket"),
            Header("Connection", "Upgrade"), Header("Sec-WebSocket-Key", key),
            Header("Sec-WebSocket-Version", WebSocketHandshake.version),
            Header("User-Agent", userAgent),
        ]
        let lines = (own + request.headers).map { "\($0.name): \($0.value)\r\n" }
        bytes = Array("GET \(endpoint.target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8)
    }

    /// Whether a 101 answer with these headers opens the socket that was asked for: the right
    /// key, and no extension or subprotocol, as none was offered.
    func isAccepted(by answer: TransportResponse) -> Bool {
        answer.header("Upgrade")?.lowercased() == "websocket"
            && answer.header("Connection")?.lowercased().contains("upgrade") == true
            && answer.header("Sec-WebSocket-Accept") == WebSocketHandshake.accept(forKey: key)
            && answer.header("Sec-WebSocket-Extensions") == nil
            && answer.header("Sec-WebSocket-Protocol") == nil
    }
}
