/// The head of one received frame (RFC 6455, section 5.2).
struct WebSocketHeader: Sendable, Equatable {
    /// Most bytes that a head takes.
    static let maximumBytes = 14

    let opcode: WebSocketFrame.Opcode
    let isFinal: Bool
    let mask: UInt32?
    /// Length of the payload, in bytes.
    let length: UInt64
    /// Bytes of the head itself.
    let byteCount: Int

    /// Reads the head that `bytes` begin with.
    ///
    /// - Returns: nil while more bytes are needed.
    /// - Throws: ``WebSocketError`` as soon as the bytes that are there break a rule.
    static func read(
        _ bytes: ArraySlice<UInt8>, from role: WebSocketRole
    ) throws(WebSocketError) -> WebSocketHeader? {
        guard let first = bytes.first else { return nil }
        guard first & 0x70 == 0 else { throw .reservedBits }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw .reservedOpcode(first & 0x0F)
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .fragmentedControlFrame }

        guard let second = bytes.dropFirst().first else { return nil }
        let isMasked = second & 0x80 != 0
        if isMasked && role == .server { throw .maskedFrame }
        if !isMasked && role == .client { throw .unmaskedFrame }
        let short = UInt64(second & 0x7F)
        guard short < 126 || !opcode.isControl else { throw .longControlFrame }

        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        let byteCount = 2 + lengthBytes + (isMasked ? 4 : 0)
        guard bytes.count >= byteCount else { return nil }
        let rest = bytes.dropFirst(2)
        let length = lengthBytes == 0 ? short : bigEndian(rest.prefix(lengthBytes))
        switch lengthBytes {
        case 2 where length < 126, 8 where length <= 0xFFFF || length > UInt64(Int64.max):
            throw .malformedLength
        default: break
        }
        let mask =
            isMasked
            ? UInt32(truncatingIfNeeded: bigEndian(rest.dropFirst(lengthBytes).prefix(4))) : nil
        return WebSocketHeader(
            opcode: opcode, isFinal: isFinal, mask: mask, length: length, byteCount: byteCount)
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
