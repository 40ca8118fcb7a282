import FmsgCore

/// Lists, single messages, bodies and the read mark (web API, section 4).
extension WebAPI {
    private static let defaultLimit: Int64 = 20
    private static let maximumLimit: Int64 = 100

    /// `GET /fmsg` and `GET /fmsg/sent`
    func list(_ route: Route, _ call: Call) throws -> HTTPResponse {
        let limit = min(
            try count("limit", call, least: 1) ?? Self.defaultLimit, Self.maximumLimit)
        let offset = try count("offset", call, least: 0) ?? 0
        let messages = try store.read { database in
            let ids =
                route == .sent
                ? try database.sent(of: call.key, limit: limit, offset: offset)
                : try database.inbox(
                    of: call.key, includingDrafts: configuration.showsDraftsToRecipients,
                    limit: limit, offset: offset)
            return try database.messages(ids)
        }
        return .json(200, .array(messages.map { .object(json($0, for: call.key).item) }))
    }

    /// `GET /fmsg/:id`
    func showMessage(_ call: Call) throws -> HTTPResponse {
        let message = try store.read { try visibleMessage(call, $0) }
        return .json(200, json(message, for: call.key).single)
    }

    /// `GET /fmsg/:id/data`
    func data(_ call: Call) throws -> HTTPResponse {
        let (message, body) = try store.read { database in
            let message = try visibleMessage(call, database)
            return (message, try database.body(of: message.id))
        }
        return HTTPResponse(
            status: 200,
            headers: Self.downloadHeaders(
                type: MediaType.served(message.type), filename: "message-\(message.id)"),
            body: .bytes(body)
        ).part(call.head.header("Range"))
    }

    /// `POST /fmsg/:id/read`
    func markRead(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let now = Timestamp.microseconds(configuration.clock())
        let (id, time) = try store.write { database in
            let message = try reference.message(database)
            guard message.allRecipients.contains(where: { $0.key == call.key }),
                !message.isDraft || !isCurrent
            else { throw Refusal.messageNotFound }
            if let time = message.timeRead(by: call.key) { return (message.id, time) }
            try database.markRead(message.id, by: call.key, time: now)
            return (message.id, now)
        }
        return .json(200, [Field.id: .integer(id), Field.timeRead: .double(time)])
    }

    /// The message of the path, when the caller may see it.
    func visibleMessage(_ call: Call, _ database: Database) throws -> StoredMessage {
        let message = try MessageReference(call.parameters, isCurrent: isCurrent).message(database)
        guard isVisible(message, to: call.key) else { throw Refusal.accessDenied }
        return message
    }

    func isVisible(_ message: StoredMessage, to key: AddressKey) -> Bool {
        guard message.isDraft, !configuration.showsDraftsToRecipients else {
            return message.isParticipant(key)
        }
        return message.fromKey == key
    }

    func json(_ message: StoredMessage, for key: AddressKey) -> MessageJSON {
        MessageJSON(message: message, viewer: key, generation: configuration.generation)
    }

    private func count(_ name: String, _ call: Call, least: Int64) throws -> Int64? {
        guard let text = call.head.argument(name) else { return nil }
        guard let value = Int64(text), value >= least else { throw Refusal(400, "invalid \(name)") }
        return value
    }
}
