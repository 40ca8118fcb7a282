/// A lineage: one line of conversation from the root to the message asked for, without sibling
/// branches (web API, section 5, `/thread/messages`).
public struct FmsgThread: Sendable, Equatable {
    public let rootId: Int64
    /// The message that was asked for: the last one.
    public let triggerId: Int64
    /// False when parts are not visible to the acting address.
    public let isComplete: Bool
    /// From the root down.
    public let messages: [FmsgThreadMessage]

    /// - Throws: ``ShapeError`` when it is not the document of `/thread/messages`.
    init(document: JSONObject) throws(ShapeError) {
        let fields = FieldReader(document)
        messages = try fields.list(Field.messages, FmsgThreadMessage.init)
        guard let first = messages.first, let last = messages.last else {
            throw ShapeError(reason: "\(Field.messages) is empty")
        }
        rootId = try fields.id(Field.rootId) ?? first.id
        triggerId = try fields.id(Field.triggerId) ?? last.id
        isComplete = try fields.bool(Field.complete)
    }

    init(messages: [FmsgThreadMessage], rootId: Int64, triggerId: Int64) {
        self.messages = messages
        self.rootId = rootId
        self.triggerId = triggerId
        isComplete = messages.allSatisfy(\.visible)
    }

    /// The messages that the acting address may see.
    public var visibleMessages: [FmsgMessage] { messages.compactMap(\.message) }

    /// Everyone who takes part in a visible message, in the order they came in.
    public var participants: [String] { uniqueAddresses(visibleMessages.flatMap(\.participants)) }

    /// The message that a reply would go to: the last that accepts replies and is no reaction.
    public var replyTarget: FmsgMessage? {
        visibleMessages.last { $0.acceptsReplies && !$0.isReaction }
    }

    /// The same lineage with the reactions that `messages` (fetched one by one) carry.
    func with(reactionsOf messages: [Int64: FmsgMessage]) throws(ShapeError) -> FmsgThread {
        var entries: [FmsgThreadMessage] = []
        for entry in self.messages {
            guard let message = entry.message, let fetched = messages[entry.id] else {
                entries.append(entry)
                continue
            }
            entries.append(FmsgThreadMessage(try message.with(reactionsOf: fetched)))
        }
        return FmsgThread(messages: entries, rootId: rootId, triggerId: triggerId)
    }
}

/// One place in a lineage.
public struct FmsgThreadMessage: Sendable, Equatable {
    public let id: Int64
    /// Nil when the acting address may not see it: then its id is all that is known.
    public let message: FmsgMessage?

    /// Whether the acting address may see it.
    public var visible: Bool { message != nil }

    init(_ fields: FieldReader) throws(ShapeError) {
        id = try fields.required(Field.id, try fields.id(Field.id))
        let isVisible = try fields.bool(Field.visible)
        message = try isVisible ? FmsgMessage(document: fields.object) : nil
    }

    init(_ message: FmsgMessage) {
        id = message.id
        self.message = message
    }

    init(invisible id: Int64) {
        self.id = id
        message = nil
    }
}
