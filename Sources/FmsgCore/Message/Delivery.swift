/// Where a message stands with one recipient (web API, section 5).
public struct RecipientDelivery: Sendable, Equatable {
    public let address: String
    /// RFC 3339 in UTC; nil while it was not delivered.
    public let timeDelivered: String?
    public let responseCode: ResponseCode?

    init(_ fields: FieldReader) throws(ShapeError) {
        address = try fields.string(Field.address) ?? ""
        timeDelivered = try fields.string(Field.timeDelivered)
        responseCode = try fields.integer(Field.responseCode).map(ResponseCode.init)
    }

    public enum State: Sendable, Equatable {
        case delivered
        /// No answer yet, or another host delivers.
        case pending
        case failed(ResponseCode)
    }

    /// Delivered and failed are final; pending is not.
    public var state: State {
        if timeDelivered != nil { return .delivered }
        guard let responseCode, responseCode.value >= 0 else { return .pending }
        return .failed(responseCode)
    }
}

/// The code with which a host answered for a recipient (core specification, response codes).
public struct ResponseCode: Sendable, Equatable {
    public let value: Int64

    public init(_ value: Int64) { self.value = value }

    public static let userUnknown = ResponseCode(100)
    public static let accept = ResponseCode(200)
    public static let noAnswerYet = ResponseCode(-1)

    /// What it means, in a few words; a code from the future is named by its number.
    public var meaning: String {
        switch value {
        case -2: "another host delivers"
        case -1: "no answer yet, will be retried"
        case 1: "invalid"
        case 2: "unsupported version"
        case 3: "undisclosed"
        case 4: "too big"
        case 5: "insufficient resources"
        case 6: "parent not found"
        case 7: "too old"
        case 8: "future time"
        case 9: "time travel"
        case 10: "duplicate"
        case 11: "accept add-to"
        case 100: "user unknown"
        case 101: "user full"
        case 102: "user not accepting"
        case 103: "user duplicate"
        case 105: "user undisclosed"
        case 200: "accept"
        default: "code \(value)"
        }
    }

    /// What a sender can do about a failure; nil where nobody knows.
    public var advice: String? {
        switch value {
        case 1, 2: "the recipient's host does not understand the message: tell who runs it"
        case 3, 102, 105: "ask the recipient by another way"
        case 4: "send less: its host takes only smaller messages"
        case 5, 101: "send it again later"
        case 6: "its host never saw the parent: begin a new thread"
        case 7, 8, 9: "a clock is wrong: tell who runs your host"
        case 10, 103: "it has the message already"
        case 100: "check the spelling of the address"
        default: nil
        }
    }
}

extension FmsgMessage {
    /// The state of every recipient, those of the add-to batches too.
    public var allDelivery: [RecipientDelivery] { delivery + addTo.flatMap(\.delivery) }

    /// Whether no recipient is pending any more.
    public var isDeliverySettled: Bool { !allDelivery.contains { $0.state == .pending } }
}

/// Recipients who were added to a message after it was sent.
public struct AddToBatch: Sendable, Equatable {
    public let batchId: Int64?
    /// Who added them.
    public let from: String
    public let to: [String]
    public let delivery: [RecipientDelivery]
    /// POSIX seconds.
    public let time: Double?
    /// The batch's hash: how someone who was only added names the parent of a reply.
    public let sha256: String?

    init(_ fields: FieldReader) throws(ShapeError) {
        batchId = try fields.integer(Field.batchId)
        from = try fields.string(Field.addToFrom) ?? ""
        to = try fields.strings(Field.to)
        delivery = try fields.list(Field.toDelivery, RecipientDelivery.init)
        time = try fields.double(Field.time)
        sha256 = try fields.string(Field.sha256)
    }
}
