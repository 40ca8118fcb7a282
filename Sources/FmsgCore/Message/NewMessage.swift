/// A message about to be sent.
public struct NewMessage: Sendable, Equatable {
    public var to: [String]
    /// Empty for none; a reply has none (web API, section 1).
    public var topic: String
    /// The parent, for a reply.
    public var parent: ParentReference?
    /// Media type of the body.
    public var type: String
    public var text: String
    public var isImportant: Bool
    public var isNoReply: Bool
    /// Older hosts drop it without a word (section 4).
    public var isTerminal: Bool

    public init(
        to: [String], topic: String = "", parent: ParentReference? = nil,
        type: String = MediaType.plainText, text: String, isImportant: Bool = false,
        isNoReply: Bool = false, isTerminal: Bool = false
    ) {
        self.to = to
        self.topic = topic
        self.parent = parent
        self.type = type
        self.text = text
        self.isImportant = isImportant
        self.isNoReply = isNoReply
        self.isTerminal = isTerminal
    }

    /// The body of `POST /fmsg` (section 4). Flags that are not set are left out, so that hosts
    /// of every age accept it.
    public func draftDocument(from sender: String) -> JSONObject {
        var document: JSONObject = [
            Field.version: .integer(1), Field.from: .string(sender), Field.to: .strings(to),
        ]
        if let parent { document[Field.pid] = parent.json }
        if !topic.isEmpty { document[Field.topic] = .string(topic) }
        document[Field.type] = .string(type)
        document[Field.size] = .integer(text.utf8.count)
        if isImportant { document[Field.important] = .bool(true) }
        if isNoReply { document[Field.noReply] = .bool(true) }
        if isTerminal { document[Field.terminal] = .bool(true) }
        document[Field.data] = .string(text)
        return document
    }

    /// Whether `draft` is a draft of this very message by `sender`, but for its body, of which
    /// only the size is compared.
    func isDrafted(as draft: FmsgMessage, from sender: String) -> Bool {
        draft.isDraft && draft.isFrom(sender) && draft.topic == topic && draft.pid == parent?.id
            && draft.type == type && draft.size == Int64(text.utf8.count)
            && draft.isImportant == isImportant && draft.isNoReply == isNoReply
            && (draft.isTerminal == isTerminal || draft.document[Field.terminal] == nil)
            && draft.attachments.isEmpty && draft.addTo.isEmpty
            && Set(draft.to.map(addressKey)) == Set(to.map(addressKey))
    }
}

/// What is known of a message that was just sent, or of a draft that was just made.
public struct SentMessage: Sendable, Equatable {
    public let id: Int64
    /// POSIX seconds; nil of a draft.
    public let time: Double?
    /// The message's SHA-256, on hosts that give it.
    public let sha256: String?
    public let from: String
    public let message: NewMessage

    init(id: Int64, time: Double?, sha256: String?, from: String, message: NewMessage) {
        self.id = id
        self.time = time
        self.sha256 = sha256
        self.from = from
        self.message = message
    }

    /// A draft as it stands.
    public init(draftId id: Int64, from: String, message: NewMessage) {
        self.init(id: id, time: nil, sha256: nil, from: from, message: message)
    }
}
