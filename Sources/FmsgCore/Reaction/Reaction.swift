/// One emoji on a message and who set it (web API, sections 5 and 6).
public struct ReactionTally: Sendable, Equatable {
    public let emoji: String
    public let from: [String]

    init(_ fields: FieldReader) throws(ShapeError) {
        emoji = try fields.string(Field.emoji) ?? ""
        from = try fields.strings(Field.from)
    }
}

extension FmsgMessage {
    /// Whether the message is a reaction: by the host's word where it gives one, else by shape
    /// (section 6).
    public var isReaction: Bool {
        if let told = document[Field.reaction] { return !told.isNull }
        guard pid != nil, isNoReply, isTerminal, !isImportant, addTo.isEmpty, attachments.isEmpty,
            size <= Int64(Emoji.maximumBytes),
            type.filter({ $0 != " " }).lowercased() == "text/plain;charset=utf-8",
            let text = wholeText
        else { return false }
        return text.isEmpty || Emoji.isSingle(text)
    }
}
