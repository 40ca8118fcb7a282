import FmsgCore
import TestSupport
import WebSocketFrames

/// The client's end of an event socket, on a connection of the tests' own.
final class EventSocket {
    let connection: WireConnection
    private var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 16 << 20)

    /// Upgrades with the token of `client`.
    init(_ client: WireClient, receiveBuffer: Int32? = nil) throws {
        connection = try WireConnection(port: client.port, receiveBuffer: receiveBuffer)
        let lines = [
            "GET /fmsg/ws HTTP/1.1", "Host: test", "Upgrade: websocket",
            "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Authorization: Bearer \(client.token)",
        ]
        try connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let answer = try connection.readResponse()
        guard answer.status == 101,
            answer.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        else { throw WireConnection.Failure.malformed }
    }

    func send(_ frame: WebSocketFrame) throws {
        try connection.write(frame.encoded(mask: 0x1234_5678))
    }

    /// The next thing that the host sends.
    func next() throws -> WebSocketInput {
        while true {
            if let input = try decoder.next() { return input }
            decoder.append(try connection.readSome())
        }
    }

    /// The next event, pings passed over.
    func event() throws -> (type: String, data: JSONObject) {
        while true {
            guard case .text(let bytes) = try next() else { continue }
            let frame = try JSON.read(bytes).object
            return (frame?[Field.type]?.string ?? "", frame?[Field.data]?.object ?? [:])
        }
    }

    /// The types and ids of all that comes before a pong to a ping that is sent now.
    func pending() throws -> [String] {
        try send(WebSocketFrame(.ping, Array("mark".utf8)))
        var events: [String] = []
        while true {
            switch try next() {
            case .pong: return events
            case .text(let bytes):
                let frame = try JSON.read(bytes).object
                let id = frame?[Field.data]?.object?[Field.id]?.int64 ?? 0
                events.append("\(frame?[Field.type]?.string ?? "") \(id)")
            default: continue
            }
        }
    }
}
