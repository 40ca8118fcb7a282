import FmsgCore

/// Making, replacing and deleting drafts (web API, section 4).
extension WebAPI {
    /// Bytes of a topic and of a media type.
    private static let maximumTextBytes = 255
    /// As many as the protocol between hosts can count.
    private static let maximumRecipients = 255

    /// `POST /fmsg`
    func createDraft(_ call: Call) throws -> HTTPResponse {
        let fields = try RequestFields(call.body, name: "messageInput")
        var content = try draftContent(fields, call)
        let id = try store.write { database in
            try setParent(of: &content, fields, call, database)
            return try database.insertDraft(
                content, from: call.account,
                preview: content.preview(limit: configuration.limits.preview))
        }
        return .json(201, [Field.id: .integer(id)])
    }

    /// `PUT /fmsg/:id`
    func replaceDraft(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let fields = try RequestFields(call.body, name: "messageInput")
        var content = try draftContent(fields, call)
        let id = try store.write { database in
            let message = try ownMessage(reference, call, database, else: "update")
            guard message.isDraft else { throw Refusal(403, "sent messages cannot be updated") }
            try setParent(of: &content, fields, call, database)
            try checkTotal(
                of: message, body: Int64(content.data.count), attachment: 0, replacing: nil)
            try database.replaceDraft(
                message.id, with: content,
                preview: content.preview(limit: configuration.limits.preview))
            return message.id
        }
        return .json(200, [Field.id: .integer(id)])
    }

    /// `DELETE /fmsg/:id`
    func deleteDraft(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let files = try store.write { database in
            let message = try ownMessage(reference, call, database, else: "delete")
            guard message.isDraft else { throw Refusal(403, "sent messages cannot be deleted") }
            guard isCurrent || message.batches.isEmpty else {
                throw Refusal(500, "failed to delete message")
            }
            try database.deleteMessage(message.id)
            return message.attachments.map(\.file)
        }
        store.removeFiles(files)
        return .noContent
    }

    /// The message, which must be the caller's own.
    func ownMessage(
        _ reference: MessageReference, _ call: Call, _ database: Database, else verb: String
    ) throws -> StoredMessage {
        let message = try reference.message(database)
        guard message.fromKey == call.key else {
            throw Refusal(403, "only the owner may \(verb) a message")
        }
        return message
    }

    /// Refuses what would make a message too large.
    func checkTotal(
        of message: StoredMessage, body: Int64, attachment: Int64, replacing filename: String?
    ) throws {
        let kept = message.attachments.filter { !$0.filename.hasSameBytes(as: filename ?? "") }.map(
            \.size)
        let total = kept.reduce(body + attachment, +)
        guard total <= Int64(configuration.limits.message) else {
            throw Refusal(413, "total message size exceeds limit")
        }
    }

    /// What a draft says, all but its parent.
    private func draftContent(_ fields: RequestFields, _ call: Call) throws -> DraftContent {
        // Fields that are read and not used must still have their type.
        _ = (try fields.integer(Field.version), try fields.integer(Field.size))
        let from = try fields.string(Field.from)
        var content = DraftContent(
            to: try fields.strings(Field.to), topic: try fields.string(Field.topic),
            type: try fields.string(Field.type), important: try fields.bool(Field.important),
            noReply: try fields.bool(Field.noReply),
            terminal: isCurrent ? try fields.bool(Field.terminal) : false,
            data: Array(try fields.string(Field.data).utf8))
        let isOwn =
            isCurrent
            ? sameAddress(from, call.account.address) : from.hasSameBytes(as: call.account.address)
        guard isOwn else { throw Refusal(403, "from address must match authenticated user") }
        content.to = try recipients(content.to, field: Field.to)
        guard content.data.count <= configuration.limits.body else { throw Refusal.bodyTooLarge }
        let texts = [content.topic, content.type]
        guard texts.allSatisfy({ $0.utf8.count <= Self.maximumTextBytes && !$0.utf8.contains(0) })
        else { throw Refusal.notCreated }
        return content
    }

    /// Valid addresses, each spelling once.
    func recipients(_ addresses: [String], field: String) throws -> [String] {
        var seen: Set<[UInt8]> = []
        for address in addresses where (try? FmsgAddress(address)) == nil {
            throw Refusal(400, "invalid \(field) address: \(JSON.string(address).text)")
        }
        let unique = addresses.filter { seen.insert(Array($0.utf8)).inserted }
        guard unique.count <= Self.maximumRecipients else {
            throw Refusal(400, "too many recipients")
        }
        return unique
    }

    /// Finds the parent that `pid` names and checks that the caller may reply to it.
    private func setParent(
        of content: inout DraftContent, _ fields: RequestFields, _ call: Call, _ database: Database
    ) throws {
        let pid = fields[Field.pid]
        guard !pid.isNull else { return }
        if isCurrent {
            try setCurrentParent(of: &content, pid, call, database)
        } else {
            guard let id = pid.int64 else { throw fields.mismatch(Field.pid, pid, "int64") }
            guard let parent = try database.message(id) else {
                throw Refusal(400, "PID \(id) not found")
            }
            guard content.topic.isEmpty else { throw Refusal.topicWithParent }
            guard !parent.isDraft else { throw Refusal.notCreated }
            content.pid = id
        }
    }

    private func setCurrentParent(
        of content: inout DraftContent, _ pid: JSON, _ call: Call, _ database: Database
    ) throws {
        let id: Int64?
        var batchHash: [UInt8]?
        if let number = pid.int64, number > 0 {
            id = number
        } else if let hash = pid.string.flatMap(Hex.decodeDigest) {
            if let message = try database.messageId(sha256: hash) {
                id = message
            } else {
                id = try database.messageId(batchSHA256: hash)
                batchHash = hash
            }
        } else {
            throw Refusal(400, "pid must be a positive integer or a 64-character sha256 string")
        }
        guard let id, let parent = try database.message(id) else {
            throw Refusal(400, "parent message not found")
        }
        guard !parent.isDraft, !parent.terminal else {
            throw Refusal(409, "parent is a draft or terminal message")
        }
        let cameByBatch = parent.batches.contains { batch in
            batch.sha256 == batchHash && batch.recipients.contains { $0.key == call.key }
        }
        guard parent.isPrimaryParticipant(call.key) || (batchHash != nil && cameByBatch) else {
            throw Refusal(
                403,
                "not a participant of this parent; added recipients must use their batch sha256")
        }
        guard content.topic.isEmpty else { throw Refusal.topicWithParent }
        content.pid = id
        content.parentSHA256 = batchHash ?? parent.sha256
    }
}

extension Refusal {
    fileprivate static let topicWithParent = Refusal(
        400, "topic must be empty when pid is supplied")
}
