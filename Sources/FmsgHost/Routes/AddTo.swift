import FmsgCore

/// Adding recipients to a message (web API, section 4).
extension WebAPI {
    /// `POST /fmsg/:id/add-to`
    func addTo(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let added = try addedRecipients(call)
        let time = stamps.next()
        let (message, events) = try store.write { database in
            let message = try reference.message(database)
            let mayAdd =
                message.isDraft
                ? message.fromKey == call.key : message.isPrimaryParticipant(call.key)
            guard mayAdd else {
                throw Refusal(403, "only the sender or a recipient may add recipients")
            }
            guard !message.terminal else {
                throw Refusal(409, "message is terminal; recipients cannot be added to it")
            }
            return try add(added, to: message, call, time, database)
        }
        announce(events)
        var answer: JSONObject = [Field.added: .integer(added.count)]
        if isCurrent { answer[Field.batchId] = message.batches.last.map { .integer($0.id) } }
        answer[Field.id] = .integer(message.id)
        if isCurrent { answer[Field.sha256] = .digest(message.batches.last?.sha256) }
        return .json(200, answer)
    }

    private func addedRecipients(_ call: Call) throws -> [String] {
        let fields = try RequestFields(call.body, name: "addToInput")
        let addresses = try fields.strings(Field.addTo)
        guard !addresses.isEmpty else { throw Refusal(400, "add_to list must not be empty") }
        var seen: Set<AddressKey> = []
        for address in addresses where !seen.insert(AddressKey(address)).inserted {
            throw Refusal(400, "duplicate recipient: \(address)")
        }
        return try recipients(addresses, field: Field.addTo)
    }

    /// Adds a batch inside the transaction of the caller, and delivers it when the message is
    /// sent.
    private func add(
        _ addresses: [String], to message: StoredMessage, _ call: Call, _ time: Double,
        _ database: Database
    ) throws -> (message: StoredMessage, events: [Event]) {
        let batchId = try database.insertBatch(
            addresses, to: message.id, by: call.account, time: time)
        guard !message.isDraft else { return (try fresh(message, database), []) }
        if let batch = try fresh(message, database).batches.last, isCurrent {
            try database.setBatchHash(batchId, MessageHash.of(batch, messageId: message.id))
        }
        let delivered = try database.deliver(message.id, domain: domain, time: time)
        let message = try fresh(message, database)
        let receipts = delivered.map { _ in Event(EventType.delivered, message, to: message.fromKey)
        }
        guard isCurrent else { return (message, receipts) }
        let notices = message.participants.map {
            Event(EventType.recipientsAdded, message, to: AddressKey($0))
        }
        return (message, notices + receipts)
    }

    private func fresh(_ message: StoredMessage, _ database: Database) throws -> StoredMessage {
        guard let message = try database.message(message.id) else { throw Refusal.messageNotFound }
        return message
    }
}
