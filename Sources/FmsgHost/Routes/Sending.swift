import FmsgCore

/// Sending and what follows from it (web API, sections 4 and 7).
extension WebAPI {
    /// `POST /fmsg/:id/send`
    func send(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let (message, events) = try store.write { database in
            let draft = try ownMessage(reference, call, database, else: "send")
            guard draft.isDraft else { throw Refusal(409, "message already sent") }
            try checkSendable(draft, database)
            return try send(draft, database)
        }
        announce(events)
        return .json(200, receipt(message))
    }

    /// What a sent message is confirmed with.
    func receipt(_ message: StoredMessage) -> JSONObject {
        var receipt: JSONObject = [Field.id: .integer(message.id)]
        if isCurrent { receipt[Field.sha256] = .digest(message.sha256) }
        receipt[Field.time] = message.time.map(JSON.double) ?? .null
        return receipt
    }

    /// Sends a draft inside the transaction of the caller.
    func send(
        _ draft: StoredMessage, _ database: Database
    ) throws -> (message: StoredMessage, events: [Event]) {
        let time = stamps.next()
        let body = try database.body(of: draft.id)
        var emoji: String?
        if isCurrent {
            emoji = reactionEmoji(draft, body: body)
            for batch in draft.batches {
                try database.setBatchHash(batch.id, MessageHash.of(batch, messageId: draft.id))
            }
        }
        try database.markSent(
            draft.id, time: time, sha256: MessageHash.of(draft, body: body, time: time),
            emoji: emoji)
        let delivered = try database.deliver(draft.id, domain: domain, time: time)
        guard let message = try database.message(draft.id) else { throw Refusal.messageNotFound }
        return (message, try arrivals(of: message, delivered, database))
    }

    /// The events of a message that was just sent.
    private func arrivals(
        of message: StoredMessage, _ delivered: [AddressKey], _ database: Database
    ) throws -> [Event] {
        let receipts = delivered.map { _ in Event(EventType.delivered, message, to: message.fromKey)
        }
        guard message.emoji != nil, let pid = message.pid, let subject = try database.message(pid)
        else { return delivered.map { Event(EventType.newMessage, message, to: $0) } + receipts }
        let others = subject.participants.map(AddressKey.init(_:)).filter { $0 != message.fromKey }
        return others.map { Event(EventType.reaction, subject, to: $0) } + receipts
    }

    private func checkSendable(_ draft: StoredMessage, _ database: Database) throws {
        guard isCurrent else { return }
        guard !draft.recipients.isEmpty else {
            throw Refusal(400, "message is not sendable: no recipients")
        }
        guard !draft.type.isEmpty else { throw Refusal(400, "message is not sendable: no type") }
        try checkTotal(of: draft, body: draft.size, attachment: 0, replacing: nil)
        guard let pid = draft.pid, let parent = try database.message(pid) else { return }
        let known = Set(parent.participants.map { AddressKey($0).domain })
        let home = addressKey(domain)
        let blocked = uniqueAddresses(
            draft.recipients.map { $0.key.domain }
                .filter { $0 != home && !known.contains($0) })
        guard blocked.isEmpty else {
            throw Refusal(
                409,
                """
                reply cannot be accepted by recipient host(s): \(blocked.joined(separator: ", ")): \
                the message being replied to was never addressed to this domain — add the \
                recipients to the parent message (add-to) or start a new thread with them
                """)
        }
    }
}

/// The hashes by which messages and batches are known: stable and unique on this host.
enum MessageHash {
    static func of(_ message: StoredMessage, body: [UInt8], time: Double) -> [UInt8] {
        let head: JSON = .array([
            .integer(message.id), .digest(message.parentSHA256), .string(message.from),
            .strings(message.recipients.map(\.address)), .double(time), .string(message.topic),
            .string(message.type), .bool(message.important), .bool(message.noReply),
            .bool(message.terminal),
            .array(
                message.attachments.map {
                    .array([.string($0.filename), .integer($0.size), .digest($0.sha256)])
                }),
        ])
        var hash = SHA256()
        hash.update(head.bytes)
        hash.update(body)
        return hash.digest()
    }

    static func of(_ batch: StoredMessage.Batch, messageId: Int64) -> [UInt8] {
        let content: JSON = .array([
            .integer(messageId), .integer(batch.id), .string(batch.from), .double(batch.time),
            .strings(batch.recipients.map(\.address)),
        ])
        return SHA256.digest(content.bytes)
    }
}
