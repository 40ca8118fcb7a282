/// Checks UTF-8 in pieces that may be cut anywhere (RFC 3629, section 4): no surrogate, no
/// overlong form, nothing above U+10FFFF.
struct UTF8Validator: Sendable {
    /// Continuation bytes that the current character still needs, and the range of the next.
    private var needed = 0
    private var range: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether what was seen ends between two characters.
    var isComplete: Bool { needed == 0 }

    /// Whether `bytes` can follow what was seen.
    mutating func accepts(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes {
            if needed > 0 {
                guard range.contains(byte) else { return false }
                needed -= 1
                range = 0x80...0xBF
                continue
            }
            switch byte {
            case 0x00...0x7F: break
            case 0xC2...0xDF: needed = 1
            case 0xE0: (needed, range) = (2, 0xA0...0xBF)
            case 0xED: (needed, range) = (2, 0x80...0x9F)
            case 0xE1...0xEF: needed = 2
            case 0xF0: (needed, range) = (3, 0x90...0xBF)
            case 0xF1...0xF3: needed = 3
            case 0xF4: (needed, range) = (3, 0x80...0x8F)
            default: return false
            }
        }
        return true
    }
}
