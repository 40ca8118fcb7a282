import FmsgCore

/// A message as the web API shows it (section 5).
struct MessageJSON {
    let message: StoredMessage
    /// The key of the address that looks at it.
    let viewer: AddressKey
    let generation: HostGeneration

    /// The answer of `GET /fmsg/:id`, which has no `id`.
    var single: JSONObject { object(withId: false) }

    /// An item of a list and the data of an event.
    var item: JSONObject { object(withId: true) }

    /// Everything but the hashes and what came with them is known to each generation.
    private var isCurrent: Bool { generation == .current }

    private func object(withId: Bool) -> JSONObject {
        var fields: [JSONObject.Field] = []
        if isCurrent {
            fields += [
                (Field.sha256, .digest(message.sha256)),
                (Field.parentSHA256, .digest(message.parentSHA256)),
            ]
        }
        if withId { fields.append((Field.id, .integer(message.id))) }
        fields += [
            (Field.version, .integer(1)),
            (Field.hasPid, .bool(message.pid != nil)),
            (Field.hasAddTo, .bool(!message.batches.isEmpty)),
            (Field.important, .bool(message.important)),
            (Field.noReply, .bool(message.noReply)),
            (Field.deflate, .bool(false)),
        ]
        if isCurrent { fields.append((Field.terminal, .bool(message.terminal))) }
        fields += [
            (Field.pid, message.pid.map { JSON.integer($0) } ?? .null),
            (Field.from, .string(message.from)),
            (Field.to, .strings(message.recipients.map(\.address))),
            (Field.toDelivery, delivery(message.recipients)),
            (Field.addTo, batches { delivery($0.recipients) }),
            (Field.time, message.time.map(JSON.double) ?? .null),
            (Field.topic, .string(message.topic)),
            (Field.type, .string(message.type)),
            (Field.size, .integer(message.size)),
        ]
        if let shortText = message.shortText {
            fields.append((Field.shortText, .string(shortText)))
        }
        let timeRead = message.timeRead(by: viewer)
        fields += [
            (Field.read, .bool(timeRead != nil)),
            (Field.timeRead, timeRead.map(JSON.double) ?? .null),
            (Field.attachments, attachments),
        ]
        if isCurrent {
            fields += [
                (Field.reaction, message.emoji.map(JSON.string) ?? .null),
                (Field.reactions, reactions),
            ]
        }
        return JSONObject(fields: fields)
    }

    /// The add-to batches, or null when there is none.
    func batches(delivery: (StoredMessage.Batch) -> JSON) -> JSON {
        guard !message.batches.isEmpty else { return .null }
        return .array(
            message.batches.map { batch in
                var fields: [JSONObject.Field] = []
                if isCurrent { fields.append((Field.sha256, .digest(batch.sha256))) }
                fields += [
                    (Field.batchId, .integer(batch.id)),
                    (Field.addToFrom, .string(batch.from)),
                    (Field.to, .strings(batch.recipients.map(\.address))),
                    (Field.toDelivery, delivery(batch)),
                    (Field.time, .double(batch.time)),
                ]
                return .object(JSONObject(fields: fields))
            })
    }

    private func delivery(_ recipients: [StoredMessage.Recipient]) -> JSON {
        .array(
            recipients.map { recipient in
                .object([
                    Field.address: .string(recipient.address),
                    Field.timeDelivered: recipient.timeDelivered
                        .map { .string(Timestamp.rfc3339($0)) } ?? .null,
                    Field.responseCode: recipient.responseCode.map { JSON.integer($0) } ?? .null,
                ])
            })
    }

    private var attachments: JSON {
        guard !message.attachments.isEmpty else { return .null }
        return .array(
            message.attachments.map {
                .object([Field.size: .integer($0.size), Field.filename: .string($0.filename)])
            })
    }

    private var reactions: JSON {
        .array(
            message.effectiveReactions.map {
                .object([Field.emoji: .string($0.emoji), Field.from: .strings($0.from)])
            })
    }
}

extension JSON {
    /// The hexadecimal digits of a hash, or null.
    static func digest(_ bytes: [UInt8]?) -> JSON { bytes.map { .string(Hex.encode($0)) } ?? .null }
}
