/// The masking of a client's payload (RFC 6455, section 5.3). Remembers how far it came, so
/// that a payload can be unmasked in pieces.
struct WebSocketMask: Sendable, Equatable {
    /// The key, rotated so that the next byte to mask is the highest.
    private var key: UInt32

    init(_ key: UInt32) {
        self.key = key
    }

    /// Masks, or unmasks, `bytes` from `start` to their end, and moves on.
    mutating func apply(to bytes: inout [UInt8], from start: Int) {
        var key = key
        for index in bytes.indices[start...] {
            bytes[index] ^= UInt8(truncatingIfNeeded: key >> 24)
            key = key << 8 | key >> 24
        }
        self.key = key
    }
}
