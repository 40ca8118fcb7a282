/// One frame as it is sent (RFC 6455, section 5.2).
///
/// What is received never becomes a frame: ``WebSocketDecoder`` gives whole messages.
public struct WebSocketFrame: Sendable, Equatable {
    /// What a frame is.
    public enum Opcode: UInt8, Sendable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        /// Control frames may stand between the fragments of a message, and are short.
        public var isControl: Bool { rawValue >= 0x8 }
    }

    /// Most bytes in a control frame (RFC 6455, section 5.5).
    public static let maximumControlBytes = 125

    public let opcode: Opcode
    public let payload: [UInt8]
    /// Whether this is the last, or only, fragment of its message. Always true of a control
    /// frame.
    public let isFinal: Bool

    /// The payload of a control frame is cut to ``maximumControlBytes``.
    public init(_ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true) {
        self.opcode = opcode
        self.isFinal = isFinal || opcode.isControl
        self.payload =
            opcode.isControl && payload.count > Self.maximumControlBytes
            ? Array(payload.prefix(Self.maximumControlBytes)) : payload
    }

    /// A close frame (RFC 6455, section 5.5.1). Without a code that ``WebSocketCloseCode/mayBeSent``
    /// it is empty. The reason is cut at a character to fit.
    public static func close(_ code: WebSocketCloseCode?, reason: String = "") -> Self {
        guard let code, code.mayBeSent else { return Self(.close) }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for character in reason {
            guard payload.count + character.utf8.count <= maximumControlBytes else { break }
            payload += character.utf8
        }
        return Self(.close, payload)
    }

    /// The frame's bytes.
    ///
    /// - Parameter mask: a fresh unpredictable number when a client sends (RFC 6455, section
    ///   5.3); nil when a server does.
    public func encoded(mask: UInt32?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + WebSocketHeader.maximumBytes)
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126:
            bytes.append(maskBit | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(maskBit | 126)
            bytes.appendBigEndian(UInt16(payload.count))
        default:
            bytes.append(maskBit | 127)
            bytes.appendBigEndian(UInt64(payload.count))
        }
        guard let mask else { return bytes + payload }
        bytes.appendBigEndian(mask)
        let start = bytes.count
        bytes += payload
        var masking = WebSocketMask(mask)
        masking.apply(to: &bytes, from: start)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
