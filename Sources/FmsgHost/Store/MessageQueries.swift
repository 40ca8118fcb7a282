/// Reading messages.
extension Database {
    private static let messageColumns = """
        id, from_address, from_key, pid, parent_sha256, topic, type, size, important, no_reply,
        terminal, short_text, time, sha256, emoji
        """

    /// Messages with all that belongs to them, in the order of `ids`; unknown ids are left out.
    ///
    /// It takes a fixed number of queries, however many ids there are.
    func messages(_ ids: [Int64]) throws(DatabaseError) -> [StoredMessage] {
        guard !ids.isEmpty else { return [] }
        let wanted = SQLValue.ids(ids)
        var found: [Int64: StoredMessage] = [:]
        let rows = try rows(
            """
            SELECT \(Self.messageColumns) FROM message
            WHERE id IN (SELECT value FROM json_each(?))
            """, wanted, map: Self.message)
        for message in rows { found[message.id] = message }
        try addBatches(wanted, to: &found)
        try addRecipients(wanted, to: &found)
        try addAttachments(wanted, to: &found)
        try addReactions(wanted, to: &found)
        return ids.compactMap { found[$0] }
    }

    func message(_ id: Int64) throws(DatabaseError) -> StoredMessage? { try messages([id]).first }

    /// The id of the sent message with that hash.
    func messageId(sha256: [UInt8]) throws(DatabaseError) -> Int64? {
        try first("SELECT id FROM message WHERE sha256 = ?", .blob(sha256)) { $0.integer(0) }
    }

    /// The message that the add-to batch with that hash belongs to.
    func messageId(batchSHA256: [UInt8]) throws(DatabaseError) -> Int64? {
        try first("SELECT message_id FROM batch WHERE sha256 = ?", .blob(batchSHA256)) {
            $0.integer(0)
        }
    }

    /// Ids of what the holder of `key` received, newest id first.
    func inbox(
        of key: AddressKey, includingDrafts: Bool, limit: Int64, offset: Int64
    ) throws(DatabaseError) -> [Int64] {
        try rows(
            """
            SELECT DISTINCT recipient.message_id FROM recipient
            JOIN message ON message.id = recipient.message_id
            WHERE recipient.key = ?
                AND (recipient.time_delivered IS NOT NULL OR (? AND message.time IS NULL))
            ORDER BY recipient.message_id DESC LIMIT ? OFFSET ?
            """, .text(key.text), .bool(includingDrafts), .integer(limit), .integer(offset)
        ) { $0.integer(0) }
    }

    /// Ids of what the holder of `key` wrote, newest id first.
    func sent(of key: AddressKey, limit: Int64, offset: Int64) throws(DatabaseError) -> [Int64] {
        try rows(
            "SELECT id FROM message WHERE from_key = ? ORDER BY id DESC LIMIT ? OFFSET ?",
            .text(key.text), .integer(limit), .integer(offset)
        ) { $0.integer(0) }
    }

    /// Ids from the message up to its root, at most `limit` of them.
    func lineage(of id: Int64, limit: Int64) throws(DatabaseError) -> [Int64] {
        try rows(
            """
            WITH RECURSIVE line (id, pid, depth) AS (
                SELECT id, pid, 1 FROM message WHERE id = ?
                UNION ALL
                SELECT message.id, message.pid, line.depth + 1 FROM message
                JOIN line ON message.id = line.pid WHERE line.depth < ?
            )
            SELECT id FROM line ORDER BY depth
            """, .integer(id), .integer(limit)
        ) { $0.integer(0) }
    }

    func body(of id: Int64) throws(DatabaseError) -> [UInt8] {
        try first("SELECT data FROM body WHERE message_id = ?", .integer(id)) { $0.blob(0) } ?? []
    }

    private static func message(_ row: SQLRow) -> StoredMessage {
        StoredMessage(
            id: row.integer(0), from: row.text(1), fromKey: AddressKey(stored: row.text(2)),
            pid: row.optionalInteger(3), parentSHA256: row.optionalBlob(4), topic: row.text(5),
            type: row.text(6), size: row.integer(7), important: row.bool(8), noReply: row.bool(9),
            terminal: row.bool(10), shortText: row.optionalText(11), time: row.optionalReal(12),
            sha256: row.optionalBlob(13), emoji: row.optionalText(14))
    }

    private func addBatches(
        _ ids: SQLValue, to messages: inout [Int64: StoredMessage]
    ) throws(DatabaseError) {
        let batches = try rows(
            """
            SELECT message_id, id, from_address, from_key, time, sha256 FROM batch
            WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id
            """, ids
        ) { row in
            let batch = StoredMessage.Batch(
                id: row.integer(1), from: row.text(2), fromKey: AddressKey(stored: row.text(3)),
                time: row.real(4),
                sha256: row.optionalBlob(5))
            return (message: row.integer(0), batch: batch)
        }
        for (message, batch) in batches { messages[message]?.batches.append(batch) }
    }

    private func addRecipients(
        _ ids: SQLValue, to messages: inout [Int64: StoredMessage]
    ) throws(DatabaseError) {
        let recipients = try rows(
            """
            SELECT message_id, batch_id, id, address, key, time_delivered, response_code, time_read
            FROM recipient WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id
            """, ids
        ) { row in
            let recipient = StoredMessage.Recipient(
                id: row.integer(2), address: row.text(3), key: AddressKey(stored: row.text(4)),
                timeDelivered: row.optionalReal(5), responseCode: row.optionalInteger(6),
                timeRead: row.optionalReal(7))
            return (message: row.integer(0), batch: row.optionalInteger(1), recipient: recipient)
        }
        for (message, batch, recipient) in recipients {
            guard let batch else {
                messages[message]?.recipients.append(recipient)
                continue
            }
            if let index = messages[message]?.batches.firstIndex(where: { $0.id == batch }) {
                messages[message]?.batches[index].recipients.append(recipient)
            }
        }
    }

    private func addAttachments(
        _ ids: SQLValue, to messages: inout [Int64: StoredMessage]
    ) throws(DatabaseError) {
        let attachments = try rows(
            """
            SELECT message_id, filename, size, sha256, file FROM attachment
            WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, filename
            """, ids
        ) { row in
            let attachment = StoredMessage.Attachment(
                filename: row.text(1), size: row.integer(2), sha256: row.blob(3), file: row.text(4))
            return (message: row.integer(0), attachment: attachment)
        }
        for (message, attachment) in attachments {
            messages[message]?.attachments.append(attachment)
        }
    }

    private func addReactions(
        _ ids: SQLValue, to messages: inout [Int64: StoredMessage]
    ) throws(DatabaseError) {
        let reactions = try rows(
            """
            SELECT pid, from_address, from_key, emoji FROM message
            WHERE pid IN (SELECT value FROM json_each(?)) AND emoji IS NOT NULL
            ORDER BY time, sha256
            """, ids
        ) { row in
            let reaction = StoredMessage.Reaction(
                from: row.text(1), fromKey: AddressKey(stored: row.text(2)), emoji: row.text(3))
            return (subject: row.integer(0), reaction: reaction)
        }
        for (subject, reaction) in reactions { messages[subject]?.reactions.append(reaction) }
    }
}
