import FmsgCore

/// Reactions (web API, section 6).
extension WebAPI {
    /// `POST /fmsg/:id/react`
    func react(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let emoji = try RequestFields(call.body, name: "reactInput").string(Field.emoji)
        guard emoji.isEmpty || Emoji.isSingle(emoji) else {
            throw Refusal(400, "emoji must be a single emoji, or empty to clear")
        }
        let outcome: Reaction = try store.write { database in
            let subject = try reference.message(database)
            let others = try reactionRecipients(subject, call)
            let standing = try database.standingReaction(to: subject.id, by: call.key)
            guard emoji != standing?.emoji ?? "" else { return .unchanged(standing) }
            let draft = try insertReaction(emoji, to: subject, others, call, database)
            let (message, events) = try send(draft, database)
            return .sent(message, events)
        }
        switch outcome {
        case .unchanged(let standing):
            return .json(
                200,
                [
                    Field.id: standing.map { .integer($0.id) } ?? .null,
                    Field.sha256: .digest(standing?.sha256),
                    Field.time: standing.map { .double($0.time) } ?? .null,
                ])
        case .sent(let message, let events):
            announce(events)
            return .json(201, receipt(message))
        }
    }

    /// The emoji of a draft that has the shape of a reaction, empty when it clears; nil for any
    /// other.
    func reactionEmoji(_ draft: StoredMessage, body: [UInt8]) -> String? {
        guard draft.pid != nil, draft.noReply, draft.terminal, !draft.important,
            draft.batches.isEmpty, draft.attachments.isEmpty, MediaType.isReaction(draft.type),
            body.count <= Emoji.maximumBytes
        else { return nil }
        let text = String(decoding: body, as: UTF8.self)
        return text.isEmpty || Emoji.isSingle(text) ? text : nil
    }

    private enum Reaction: Sendable {
        case unchanged(StandingReaction?)
        case sent(StoredMessage, [Event])
    }

    private func reactionRecipients(_ subject: StoredMessage, _ call: Call) throws -> [String] {
        guard isVisible(subject, to: call.key) else {
            throw Refusal(403, "only participants may react to a message")
        }
        guard !subject.isDraft else { throw Refusal(409, "cannot react to a draft") }
        guard !subject.terminal else {
            throw Refusal(409, "message is terminal; it cannot be reacted to")
        }
        let others = subject.participants.filter { AddressKey($0) != call.key }
        guard !others.isEmpty else { throw Refusal(409, "message has no other participant") }
        return others
    }

    private func insertReaction(
        _ emoji: String, to subject: StoredMessage, _ others: [String], _ call: Call,
        _ database: Database
    ) throws -> StoredMessage {
        let content = DraftContent(
            to: others, pid: subject.id, parentSHA256: subject.sha256, type: MediaType.reaction,
            noReply: true, terminal: true, data: Array(emoji.utf8))
        let id = try database.insertDraft(
            content, from: call.account,
            preview: content.preview(limit: configuration.limits.preview))
        guard let draft = try database.message(id) else { throw Refusal.messageNotFound }
        return draft
    }
}

/// A reaction in force.
struct StandingReaction: Sendable {
    var id: Int64
    var sha256: [UInt8]
    var time: Double
    var emoji: String
}

extension Database {
    /// The latest reaction of a reactor, unless that clears.
    fileprivate func standingReaction(
        to subject: Int64, by key: AddressKey
    ) throws(DatabaseError) -> StandingReaction? {
        let latest = try first(
            """
            SELECT id, sha256, time, emoji FROM message
            WHERE pid = ? AND from_key = ? AND emoji IS NOT NULL
            ORDER BY time DESC, sha256 DESC LIMIT 1
            """, .integer(subject), .text(key.text)
        ) { row in
            StandingReaction(
                id: row.integer(0), sha256: row.blob(1), time: row.real(2), emoji: row.text(3))
        }
        return latest.flatMap { $0.emoji.isEmpty ? nil : $0 }
    }
}
