/// Base64 (RFC 4648), standard for keys and URL-safe without padding for tokens.
enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafe = standard.dropLast(2) + Array("-_".utf8)

    /// With padding.
    static func encode(_ bytes: [UInt8]) -> String {
        let text = encode(bytes, standard)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    static func encodeURL(_ bytes: [UInt8]) -> String { encode(bytes, Array(urlSafe)) }

    private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = (pending << 8 | UInt32(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(pending >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(pending << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of URL-safe Base64 without padding, or nil when it is not that.
    static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let digit = urlSafe.firstIndex(of: character) else { return nil }
            pending = (pending << 6 | UInt32(digit)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(pending >> bits & 255))
            }
        }
        guard pending & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }
}
