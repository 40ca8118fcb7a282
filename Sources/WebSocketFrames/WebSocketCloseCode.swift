/// Why a WebSocket was closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let normal = Self(rawValue: 1000)
    public static let goingAway = Self(rawValue: 1001)
    public static let protocolError = Self(rawValue: 1002)
    public static let unsupportedData = Self(rawValue: 1003)
    public static let invalidPayload = Self(rawValue: 1007)
    public static let policyViolation = Self(rawValue: 1008)
    public static let messageTooBig = Self(rawValue: 1009)
    public static let internalError = Self(rawValue: 1011)

    /// Whether the code may stand in a close frame: one that is defined for it, or one of the
    /// ranges for libraries (3000–3999) and applications (4000–4999). 1005, 1006 and 1015 are
    /// names for what no frame said.
    public var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
