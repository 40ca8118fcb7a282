import FmsgCore

/// Writing messages. Each runs inside a transaction of its caller.
extension Database {
    /// Makes a draft and returns its id.
    func insertDraft(
        _ content: DraftContent, from author: Account, preview: String?
    ) throws(DatabaseError) -> Int64 {
        try run(
            """
            INSERT INTO message (from_address, from_key, pid, parent_sha256, topic, type, size,
                important, no_reply, terminal, short_text)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(author.address), .text(author.key.text), .optional(content.pid),
            .optional(content.parentSHA256), .text(content.topic), .text(content.type),
            .integer(Int64(content.data.count)), .bool(content.important), .bool(content.noReply),
            .bool(content.terminal), .optional(preview))
        let id = lastInsertedId
        try run("INSERT INTO body VALUES (?, ?)", .integer(id), .blob(content.data))
        try insertRecipients(content.to, of: id, batch: nil)
        return id
    }

    /// Replaces all that a draft says; attachments and batches stay.
    func replaceDraft(
        _ id: Int64, with content: DraftContent, preview: String?
    ) throws(DatabaseError) {
        try run(
            """
            UPDATE message SET pid = ?, parent_sha256 = ?, topic = ?, type = ?, size = ?,
                important = ?, no_reply = ?, terminal = ?, short_text = ? WHERE id = ?
            """, .optional(content.pid), .optional(content.parentSHA256), .text(content.topic),
            .text(content.type), .integer(Int64(content.data.count)), .bool(content.important),
            .bool(content.noReply), .bool(content.terminal), .optional(preview), .integer(id))
        try run("UPDATE body SET data = ? WHERE message_id = ?", .blob(content.data), .integer(id))
        try run(
            "DELETE FROM recipient WHERE message_id = ? AND batch_id IS NULL", .integer(id))
        try insertRecipients(content.to, of: id, batch: nil)
    }

    /// Deletes a message with its rows; its files are the caller's.
    func deleteMessage(_ id: Int64) throws(DatabaseError) {
        try run("DELETE FROM message WHERE id = ?", .integer(id))
    }

    /// Adds a batch of recipients and returns its id.
    func insertBatch(
        _ addresses: [String], to id: Int64, by account: Account, time: Double
    ) throws(DatabaseError) -> Int64 {
        try run(
            "INSERT INTO batch (message_id, from_address, from_key, time) VALUES (?, ?, ?, ?)",
            .integer(id), .text(account.address), .text(account.key.text), .real(time))
        let batch = lastInsertedId
        try insertRecipients(addresses, of: id, batch: batch)
        return batch
    }

    func setBatchHash(_ batch: Int64, _ hash: [UInt8]) throws(DatabaseError) {
        try run("UPDATE batch SET sha256 = ? WHERE id = ?", .blob(hash), .integer(batch))
    }

    /// Makes a draft a sent message.
    func markSent(
        _ id: Int64, time: Double, sha256: [UInt8], emoji: String?
    ) throws(DatabaseError) {
        try run(
            "UPDATE message SET time = ?, sha256 = ?, emoji = ? WHERE id = ?", .real(time),
            .blob(sha256), .optional(emoji), .integer(id))
    }

    /// Delivers a sent message to every recipient that has no answer yet: at once to users of
    /// `domain`, code 100 to those it does not have, code -1 (pending) to other domains.
    /// - Returns: the keys that it was delivered to, each once.
    func deliver(_ id: Int64, domain: String, time: Double) throws(DatabaseError) -> [AddressKey] {
        let waiting = try rows(
            """
            SELECT recipient.id, recipient.key, user.key IS NOT NULL FROM recipient
            LEFT JOIN user ON user.key = recipient.key
            WHERE message_id = ? AND time_delivered IS NULL AND response_code IS NULL
            ORDER BY recipient.id
            """, .integer(id)
        ) { (id: $0.integer(0), key: AddressKey(stored: $0.text(1)), isUser: $0.bool(2)) }
        var delivered: [AddressKey] = []
        for recipient in waiting {
            let isLocal = recipient.key.domain.hasSameBytes(as: addressKey(domain))
            let arrives = isLocal && recipient.isUser
            let code: Int64 = arrives ? 200 : isLocal ? 100 : -1
            try run(
                "UPDATE recipient SET time_delivered = ?, response_code = ? WHERE id = ?",
                .optional(arrives ? time : nil), .integer(code), .integer(recipient.id))
            if arrives, !delivered.contains(recipient.key) { delivered.append(recipient.key) }
        }
        return delivered
    }

    /// Stamps the first reading of a message by the holder of `key`.
    func markRead(_ id: Int64, by key: AddressKey, time: Double) throws(DatabaseError) {
        try run(
            """
            UPDATE recipient SET time_read = ?
            WHERE message_id = ? AND key = ? AND time_read IS NULL
            """, .real(time), .integer(id), .text(key.text))
    }

    /// Keeps an attachment; one of the same name is replaced.
    func insertAttachment(
        _ upload: StoredUpload, named filename: String, to id: Int64
    ) throws(DatabaseError) {
        try run(
            "INSERT OR REPLACE INTO attachment VALUES (?, ?, ?, ?, ?)", .integer(id),
            .text(filename), .integer(Int64(upload.size)), .blob(upload.sha256), .text(upload.file))
    }

    func deleteAttachment(_ filename: String, of id: Int64) throws(DatabaseError) {
        try run(
            "DELETE FROM attachment WHERE message_id = ? AND filename = ?", .integer(id),
            .text(filename))
    }

    private func insertRecipients(
        _ addresses: [String], of id: Int64, batch: Int64?
    ) throws(DatabaseError) {
        for address in addresses {
            try run(
                "INSERT INTO recipient (message_id, batch_id, address, key) VALUES (?, ?, ?, ?)",
                .integer(id), .optional(batch), .text(address), .text(addressKey(address)))
        }
    }
}
