/// A message as the acting address sees it (web API, section 5), or a draft.
public struct FmsgMessage: Sendable, Equatable {
    /// The host's object, whole: with unknown fields, and only with the fields that the route
    /// gave.
    public private(set) var document: JSONObject

    /// Positive, local to one deployment.
    public let id: Int64
    /// The parent's id; nil for a root.
    public let pid: Int64?
    /// The message's SHA-256 in hexadecimal, on hosts that give it; nil for a draft.
    public let sha256: String?
    public let from: String
    public let to: [String]
    /// The state of each recipient in `to`.
    public let delivery: [RecipientDelivery]
    public let addTo: [AddToBatch]
    /// When it was sent, in POSIX seconds; nil is a draft.
    public let time: Double?
    public let topic: String
    /// Media type of the body.
    public let type: String
    /// Bytes of the body.
    public let size: Int64
    /// The beginning of a `text/*` body; nil where the host gave none.
    public let shortText: String?
    /// Whether, and when (POSIX seconds), the acting address read it.
    public let isRead: Bool
    public let timeRead: Double?
    public let attachments: [Attachment]
    public let isImportant: Bool
    /// The sender will discard replies.
    public let isNoReply: Bool
    /// Nothing may be built on it: no reply, no reaction, no added recipient.
    public let isTerminal: Bool
    /// The emoji of a message that is itself a reaction, by the host's word; `""` clears.
    public let reaction: String?
    /// The reactions in force on this message.
    public let reactions: [ReactionTally]
    /// The whole body, where it was fetched.
    public private(set) var body: MessageBody?

    /// - Parameters:
    ///   - document: the host's object.
    ///   - id: the id for a route that leaves it out (`GET /fmsg/:id`).
    /// - Throws: ``ShapeError`` when a field has another type or there is no id.
    public init(document: JSONObject, id: Int64? = nil) throws(ShapeError) {
        let fields = FieldReader(document)
        let ownId = try fields.id(Field.id)
        self.id = try fields.required(Field.id, ownId ?? id)
        pid = try fields.id(Field.pid)
        let messageSHA256 = try fields.string(Field.messageSHA256)
        sha256 = try fields.string(Field.sha256) ?? messageSHA256
        from = try fields.string(Field.from) ?? ""
        to = try fields.strings(Field.to)
        delivery = try fields.list(Field.toDelivery, RecipientDelivery.init)
        addTo = try fields.list(Field.addTo, AddToBatch.init)
        time = try fields.double(Field.time)
        topic = try fields.string(Field.topic) ?? ""
        type = try fields.string(Field.type) ?? ""
        size = try fields.integer(Field.size) ?? 0
        shortText = try fields.string(Field.shortText)
        isRead = try fields.bool(Field.read)
        timeRead = try fields.double(Field.timeRead)
        attachments = try fields.list(Field.attachments, Attachment.init)
        isImportant = try fields.bool(Field.important)
        isNoReply = try fields.bool(Field.noReply)
        isTerminal = try fields.bool(Field.terminal)
        reaction = try fields.string(Field.reaction)
        reactions = try fields.list(Field.reactions, ReactionTally.init)
        if let value = document[Field.body], !value.isNull {
            body = try MessageBody(try FieldReader(value, as: Field.body))
        } else {
            body = nil
        }
        self.document = document
        self.document.prepend(Field.id, .integer(self.id))
    }

    /// Never sent: it may be somebody else's, addressed to the acting address (section 5).
    public var isDraft: Bool { time == nil }

    /// The whole body as text where it is known: fetched, or a preview that is all of it.
    public var wholeText: String? {
        if let text = body?.text { return text }
        guard let shortText, Int64(shortText.utf8.count) == size else {
            return size == 0 && MediaType.isText(type) ? "" : nil
        }
        return shortText
    }

    /// A copy with its whole body.
    public func with(body: MessageBody) -> FmsgMessage {
        var copy = self
        copy.body = body
        copy.document[Field.body] = .object(body.document)
        return copy
    }

    /// A copy with the reactions that another route told.
    func with(reactionsOf message: FmsgMessage) throws(ShapeError) -> FmsgMessage {
        var document = document
        document[Field.reactions] = message.document[Field.reactions]
        return try FmsgMessage(document: document, id: id)
    }
}

/// A body that was fetched (web API, section 5, `body`).
public struct MessageBody: Sendable, Equatable {
    public let document: JSONObject
    /// Nil for what is not text.
    public let text: String?

    init(_ fields: FieldReader) throws(ShapeError) {
        document = fields.object
        text = try fields.string(Field.text)
    }

    /// The body of `message` as the bytes of `GET /fmsg/:id/data` give it. Malformed UTF-8
    /// becomes U+FFFD.
    public init(type: String, bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        self.text = text
        document = [
            Field.type: .string(type), Field.size: .integer(bytes.count), Field.text: .string(text),
        ]
    }

    /// The whole body of a message whose preview is all of it.
    init(preview text: String, type: String) {
        self.init(type: type, bytes: Array(text.utf8))
    }
}

/// A file that travels with a message.
public struct Attachment: Sendable, Equatable {
    public let filename: String
    /// Bytes.
    public let size: Int64

    /// - Parameter document: the host's object.
    public init(document: JSONObject) throws(ShapeError) {
        try self.init(FieldReader(document))
    }

    init(_ fields: FieldReader) throws(ShapeError) {
        filename = try fields.string(Field.filename) ?? ""
        size = try fields.integer(Field.size) ?? 0
    }
}

/// What media types mean to a client.
public enum MediaType {
    public static let plainText = "text/plain;charset=UTF-8"

    /// Whether a body of this type is shown as text: `text/*`, `application/json` and `+json`.
    public static func isText(_ type: String) -> Bool {
        let essence = essence(type)
        return essence.hasPrefix("text/") || essence == "application/json"
            || essence.hasSuffix("+json")
    }

    /// Type and subtype in lower case, without parameters.
    static func essence(_ type: String) -> String {
        String(type.prefix { $0 != ";" }).filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
