/// One of the two ends of a WebSocket.
public enum WebSocketRole: Sendable {
    case client
    case server

    var peer: WebSocketRole { self == .client ? .server : .client }
}

/// What a WebSocket brings.
public enum WebSocketInput: Sendable, Equatable {
    /// A whole text message, proven to be UTF-8.
    case text([UInt8])
    /// A whole binary message.
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The peer's last frame. `code` is nil when it gave none.
    case close(code: WebSocketCloseCode?, reason: String)
}

/// Reads what a peer sends (RFC 6455, sections 5 to 8): put in the bytes as they come, take
/// out whole messages.
///
/// Time is linear in the bytes. Memory is what was appended and not yet taken plus one message,
/// whose limit is checked when a frame announces its length, before any of it is kept.
public struct WebSocketDecoder: Sendable {
    private enum Phase {
        case header
        case payload(WebSocketHeader, mask: WebSocketMask?, remaining: Int)
        case closed
        case failed(WebSocketError)
    }

    private let role: WebSocketRole
    private let maximumMessageBytes: Int
    private var phase = Phase.header
    /// What was appended; all before `consumed` is done with.
    private var buffer: [UInt8] = []
    private var consumed = 0
    /// The opcode of the message that is being put together, and what there is of it.
    private var messageOpcode: WebSocketFrame.Opcode?
    private var message: [UInt8] = []
    private var text = UTF8Validator()
    private var control: [UInt8] = []

    /// - Parameters:
    ///   - role: the end that reads. A server takes only masked frames, a client only unmasked.
    ///   - maximumMessageBytes: most payload bytes of one message, all fragments together.
    public init(role: WebSocketRole, maximumMessageBytes: Int) {
        self.role = role
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Hands in bytes that the connection brought, cut anywhere.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        // Moving no more than was consumed keeps the whole linear.
        if consumed > 0, consumed >= buffer.count - consumed {
            buffer.removeFirst(consumed)
            consumed = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next input, or nil while more bytes are needed, and for ever after a close frame.
    ///
    /// - Throws: ``WebSocketError`` when the peer broke the standard; again at every later call.
    public mutating func next() throws(WebSocketError) -> WebSocketInput? {
        if case .failed(let error) = phase { throw error }
        do throws(WebSocketError) {
            while true {
                switch phase {
                case .closed, .failed:
                    return nil
                case .header:
                    guard
                        let header = try WebSocketHeader.read(
                            buffer[consumed...], from: role.peer)
                    else { return nil }
                    consumed += header.byteCount
                    let remaining = try accept(header)
                    phase = .payload(
                        header, mask: header.mask.map(WebSocketMask.init), remaining: remaining)
                case .payload(let header, var mask, var remaining):
                    let piece = buffer[consumed...].prefix(remaining)
                    consumed += piece.count
                    remaining -= piece.count
                    try take(piece, of: header, mask: &mask)
                    guard remaining == 0 else {
                        phase = .payload(header, mask: mask, remaining: remaining)
                        return nil
                    }
                    phase = .header
                    if let input = try finish(header) { return input }
                }
            }
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    /// Checks a frame against the message it belongs to and the limit; gives its length.
    private mutating func accept(_ header: WebSocketHeader) throws(WebSocketError) -> Int {
        switch header.opcode {
        case .continuation:
            guard messageOpcode != nil else { throw .unexpectedContinuation }
        case .text, .binary:
            guard messageOpcode == nil else { throw .unfinishedMessage }
            messageOpcode = header.opcode
        case .close, .ping, .pong:
            return Int(header.length)
        }
        guard let length = Int(exactly: header.length),
            length <= maximumMessageBytes - message.count
        else { throw .messageTooBig }
        return length
    }

    private mutating func take(
        _ piece: ArraySlice<UInt8>, of header: WebSocketHeader, mask: inout WebSocketMask?
    ) throws(WebSocketError) {
        guard !header.opcode.isControl else {
            let start = control.count
            control += piece
            mask?.apply(to: &control, from: start)
            return
        }
        let start = message.count
        message += piece
        mask?.apply(to: &message, from: start)
        if messageOpcode == .text, !text.accepts(message[start...]) { throw .invalidText }
    }

    /// What a frame, now whole, amounts to; nil when it is a fragment before the last.
    private mutating func finish(_ header: WebSocketHeader) throws(WebSocketError)
        -> WebSocketInput?
    {
        guard header.opcode.isControl else {
            guard header.isFinal else { return nil }
            defer {
                messageOpcode = nil
                message = []
            }
            guard messageOpcode == .text else { return .binary(message) }
            guard text.isComplete else { throw .invalidText }
            return .text(message)
        }
        defer { control = [] }
        switch header.opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        default:
            let input = try Self.close(control)
            phase = .closed
            return input
        }
    }

    private static func close(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketInput {
        guard !payload.isEmpty else { return .close(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .malformedClose }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.mayBeSent else { throw .malformedClose }
        var validator = UTF8Validator()
        let reason = payload[2...]
        guard validator.accepts(reason), validator.isComplete else { throw .invalidText }
        return .close(code: code, reason: String(decoding: reason, as: UTF8.self))
    }
}
