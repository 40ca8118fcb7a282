import FmsgCore
import WebSocketFrames

/// Something that happened to a message, and whom it is told (web API, section 7).
struct Event: Sendable {
    let type: String
    let message: StoredMessage
    let receiver: AddressKey

    init(_ type: String, _ message: StoredMessage, to receiver: AddressKey) {
        self.type = type
        self.message = message
        self.receiver = receiver
    }
}

extension WebAPI {
    /// Tells of what a committed transaction did.
    func announce(_ events: [Event]) {
        for event in events where hub.hasConnection(event.receiver) {
            let frame: JSONObject = [
                Field.type: .string(event.type),
                Field.data: .object(json(event.message, for: event.receiver).item),
            ]
            hub.send(JSON.object(frame).bytes, to: event.receiver)
        }
    }

    /// `GET /fmsg/ws`: the upgrade to a WebSocket, or an ordinary refusal.
    func openEvents(_ head: RequestHead) throws -> Intake {
        let account: Account
        if head.header("Authorization") != nil {
            account = try authenticate(head).account
        } else if let token = head.argument(Field.accessToken) {
            account = try authenticate(token: token, head).account
        } else {
            throw Refusal(401, "missing access token")
        }
        guard head.listsToken("websocket", in: "Upgrade"),
            head.listsToken("upgrade", in: "Connection"),
            head.header("Sec-WebSocket-Version") == WebSocketHandshake.version,
            let key = head.header("Sec-WebSocket-Key"), WebSocketHandshake.isKey(key)
        else { return .answer(.text(400, "Bad Request\n")) }
        // The receiver is known to the hub before it knows that it is: no event falls between.
        let place = hub.reservePlace(for: account.key)
        return .answer(
            HTTPResponse(
                status: 101,
                headers: [
                    Header("Upgrade", "websocket"),
                    Header("Sec-WebSocket-Accept", WebSocketHandshake.accept(forKey: key)),
                ],
                body: .upgrade { place.take($0) }))
    }
}

extension RequestHead {
    /// Whether a header that is a list of tokens has this one, whatever its case.
    fileprivate func listsToken(_ token: String, in name: String) -> Bool {
        headers.contains { header in
            header.name.lowercased() == name.lowercased()
                && header.value.lowercased().split(separator: ",").contains {
                    $0.filter { !$0.isWhitespace } == token
                }
        }
    }
}
