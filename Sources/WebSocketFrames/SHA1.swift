/// SHA-1 (FIPS 180-4, section 6.1), because the handshake of RFC 6455 asks for it and this
/// module imports nothing. It proves that a peer speaks WebSocket; it protects nothing.
enum SHA1 {
    /// The 20 bytes of the digest.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += repeatElement(0, count: (64 + 56 - padded.count % 64) % 64)
        padded += bytes(of: UInt64(message.count) &* 8)

        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: 64) {
            compress(padded[start..<start + 64], into: &state)
        }
        return state.flatMap(bytes)
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                rotated(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16],
                    by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() {
            state[index] &+= value
        }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }

    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> Number($0))
        }
    }
}
