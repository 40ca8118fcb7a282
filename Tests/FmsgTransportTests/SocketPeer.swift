import FmsgCore
import TestSupport
import WebSocketFrames

@testable import FmsgTransport

enum SocketPeer {
    /// The headers that accept a client's key.
    static func headers(for key: String) -> [String] {
        [
            "Upgrade: WebSocket", "Connection: keep-alive, Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(forKey: key))",
        ]
    }
}

/// The host's end of a WebSocket, scripted.
extension ScriptedConnection {
    /// Reads the upgrade request and accepts it; `with` follows in the same packet.
    @discardableResult func acceptSocket(with bytes: [UInt8] = []) -> ScriptedRequest? {
        guard let request = readRequest(), let key = request.header("Sec-WebSocket-Key") else {
            return nil
        }
        let headers = SocketPeer.headers(for: key).map { $0 + "\r\n" }.joined()
        let head = "HTTP/1.1 101 Switching Protocols\r\n\(headers)\r\n"
        return write(Array(head.utf8) + bytes) ? request : nil
    }

    func send(_ frame: WebSocketFrame) {
        write(frame.encoded(mask: nil))
    }

    /// What the client sends, until it closes or breaks off.
    func readInputs() -> [WebSocketInput] {
        var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 1 << 20)
        var inputs: [WebSocketInput] = []
        while true {
            let bytes = read()
            guard !bytes.isEmpty else { return inputs }
            decoder.append(bytes)
            while let input = try? decoder.next() {
                inputs.append(input)
                if case .close = input { return inputs }
            }
        }
    }
}

/// Opens a socket that has to be accepted.
func open(
    _ server: ScriptedServer, _ transport: CurlTransport = transport()
) async throws(TransportError) -> any TransportSocket {
    switch try await transport.openSocket(get(server.url + "/fmsg/ws")) {
    case .open(let socket): return socket
    case .refused(let response):
        throw TransportError(.broken, "refused with \(response.status)", mayHaveArrived: true)
    }
}
