/// A reply as it was decided on: from here on it is sent as it stands, whatever dies meanwhile.
public struct AnswerIntent: Sendable, Equatable {
    /// The message that is answered.
    public let messageId: Int64
    /// The thread that it counts for.
    public let rootId: Int64
    public let reply: NewMessage
    /// Drafts with the same parent that somebody else made: never used, never deleted.
    public let otherDrafts: [Int64]
    /// How many secrets of the handler's answer were replaced.
    public let redactions: Int

    public init(
        messageId: Int64, rootId: Int64, reply: NewMessage, otherDrafts: [Int64] = [],
        redactions: Int = 0
    ) {
        self.messageId = messageId
        self.rootId = rootId
        self.reply = reply
        self.otherDrafts = otherDrafts
        self.redactions = redactions
    }
}

/// Everything about a reply but its text.
public struct AnswerPlan: Sendable, Equatable {
    public let messageId: Int64
    public let rootId: Int64
    /// The reply, without a text.
    public let reply: NewMessage
    public let otherDrafts: [Int64]

    /// The reply to all participants of `message`, in the media type `type`.
    /// - Parameters:
    ///   - isLast: whether it is the last one that the thread gets: then it says that it wants
    ///     none in return, as far as the host knows how.
    public init(
        to message: FmsgMessage, rootId: Int64, as identity: Identity, type: String,
        isLast: Bool, otherDrafts: [Int64] = []
    ) {
        messageId = message.id
        self.rootId = rootId
        self.otherDrafts = otherDrafts
        reply = NewMessage(
            to: message.replyAllRecipients(for: identity.address, owner: identity.owner),
            parent: message.parentReference(for: identity.address), type: type, text: "",
            isNoReply: isLast, isTerminal: isLast && message.document[Field.terminal] != nil)
    }

    /// The reply with a text, without the secrets in it.
    func intent(_ text: String) -> AnswerIntent {
        var reply = reply
        reply.text = text
        let (redacted, count) = reply.redacted()
        return AnswerIntent(
            messageId: messageId, rootId: rootId, reply: redacted, otherDrafts: otherDrafts,
            redactions: count)
    }
}

extension AnswerIntent {
    private enum Key {
        static let otherDrafts = "other_drafts"
        static let batchSHA256 = "batch_sha256"
        static let redactions = "redactions"
    }

    /// As the ledger holds it.
    var document: JSONObject {
        var document: JSONObject = [
            Field.id: .integer(messageId), Field.rootId: .integer(rootId),
            Field.to: .strings(reply.to), Field.type: .string(reply.type),
            Field.text: .string(reply.text), Field.noReply: .bool(reply.isNoReply),
            Field.terminal: .bool(reply.isTerminal),
        ]
        if let hash = reply.parent?.batchSHA256 { document[Key.batchSHA256] = .string(hash) }
        if redactions > 0 { document[Key.redactions] = .integer(redactions) }
        if !otherDrafts.isEmpty {
            document[Key.otherDrafts] = .array(otherDrafts.map { .integer($0) })
        }
        return document
    }

    init(_ fields: FieldReader) throws(ShapeError) {
        let messageId = try fields.required(Field.id, try fields.id(Field.id))
        self.messageId = messageId
        rootId = try fields.required(Field.rootId, try fields.id(Field.rootId))
        otherDrafts = try fields.array(Key.otherDrafts).compactMap(\.int64)
        redactions = Int(clamping: try fields.integer(Key.redactions) ?? 0)
        reply = NewMessage(
            to: try fields.strings(Field.to),
            parent: ParentReference(
                id: messageId, batchSHA256: try fields.string(Key.batchSHA256)),
            type: try fields.required(Field.type, try fields.string(Field.type)),
            text: try fields.required(Field.text, try fields.string(Field.text)),
            isNoReply: try fields.bool(Field.noReply), isTerminal: try fields.bool(Field.terminal))
    }
}
