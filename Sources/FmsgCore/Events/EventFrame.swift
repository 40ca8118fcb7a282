/// One frame of the event stream (web API, section 7).
public enum EventFrame: Sendable, Equatable {
    /// A message became available to the acting address.
    case newMessage(FmsgMessage)
    /// A known message changed; it is here as it stands now.
    case updated(Update, FmsgMessage)
    /// A type from the future, to be ignored.
    case unknown(String)

    /// What changed.
    public enum Update: Sendable, Equatable {
        case delivery
        case recipients
        case reactions

        init?(type: String) {
            switch type {
            case EventType.delivered: self = .delivery
            case EventType.recipientsAdded: self = .recipients
            case EventType.reaction: self = .reactions
            default: return nil
            }
        }

        /// The frame's `type`.
        public var type: String {
            switch self {
            case .delivery: EventType.delivered
            case .recipients: EventType.recipientsAdded
            case .reactions: EventType.reaction
            }
        }
    }

    /// - Throws: ``ShapeError`` when the bytes are no event.
    public init(_ bytes: [UInt8]) throws(ShapeError) {
        let value: JSON
        do {
            value = try JSON.read(bytes)
        } catch {
            throw ShapeError(reason: "it is not JSON: \(error.reason)")
        }
        let fields = try FieldReader(value, as: "the frame")
        let type = try fields.required(Field.type, try fields.string(Field.type))
        let update = Update(type: type)
        guard type == EventType.newMessage || update != nil else {
            self = .unknown(type)
            return
        }
        let message = try FmsgMessage(
            document: try FieldReader(fields.object[Field.data] ?? .null, as: Field.data).object)
        self = update.map { .updated($0, message) } ?? .newMessage(message)
    }
}
