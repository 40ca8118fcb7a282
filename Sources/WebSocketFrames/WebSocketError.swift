/// How a peer broke RFC 6455. ``closeCode`` is what to answer before the connection is dropped.
public enum WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A reserved bit is set although no extension was agreed on (section 5.2).
    case reservedBits
    /// An opcode that the standard does not define (section 5.2).
    case reservedOpcode(UInt8)
    /// A client's frame is not masked (section 5.1).
    case unmaskedFrame
    /// A server's frame is masked (section 5.1).
    case maskedFrame
    /// A control frame of more than 125 bytes (section 5.5).
    case longControlFrame
    /// A control frame in fragments (section 5.5).
    case fragmentedControlFrame
    /// A length in more bytes than it needs, or beyond 63 bits (section 5.2).
    case malformedLength
    /// A continuation of nothing (section 5.4).
    case unexpectedContinuation
    /// A new message before the last one was whole (section 5.4).
    case unfinishedMessage
    /// A close frame of one byte, or with a code that may not be sent (sections 5.5.1, 7.4).
    case malformedClose
    /// A text message or a close reason is not UTF-8 (section 8.1).
    case invalidText
    /// A message is longer than the decoder's limit.
    case messageTooBig

    /// The code for the close frame that answers the error (section 7.4.1).
    public var closeCode: WebSocketCloseCode {
        switch self {
        case .invalidText: .invalidPayload
        case .messageTooBig: .messageTooBig
        default: .protocolError
        }
    }

    public var description: String {
        switch self {
        case .reservedBits: "a frame has reserved bits set"
        case .reservedOpcode(let opcode): "a frame has the reserved opcode \(opcode)"
        case .unmaskedFrame: "a client's frame is not masked"
        case .maskedFrame: "a server's frame is masked"
        case .longControlFrame: "a control frame is longer than 125 bytes"
        case .fragmentedControlFrame: "a control frame is fragmented"
        case .malformedLength: "a frame's length is malformed"
        case .unexpectedContinuation: "a continuation frame continues nothing"
        case .unfinishedMessage: "a message began before the last one was whole"
        case .malformedClose: "a close frame is malformed"
        case .invalidText: "a text is not UTF-8"
        case .messageTooBig: "a message is larger than the limit"
        }
    }
}
