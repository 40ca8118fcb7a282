/// The pieces of the opening handshake that both ends need (RFC 6455, section 4).
public enum WebSocketHandshake {
    /// The one version of the protocol, for `Sec-WebSocket-Version`.
    public static let version = "13"

    /// A fresh `Sec-WebSocket-Key`: 16 random bytes in Base64 (section 4.1).
    public static func key(using random: inout some RandomNumberGenerator) -> String {
        base64((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// Whether `key` is 16 bytes in Base64, which a server has to check (section 4.2.1).
    public static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return bytes.count == 24 && bytes.suffix(2) == [padding, padding]
            && bytes.dropLast(2).allSatisfy(alphabet.contains)
    }

    /// What `Sec-WebSocket-Accept` must say to `key` (section 4.2.2).
    public static func accept(forKey key: String) -> String {
        base64(SHA1.digest(of: Array(key.utf8) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
    }

    private static let padding = UInt8(ascii: "=")
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Base64 with padding (RFC 4648, section 4).
    static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                text.append(
                    position <= group.count
                        ? alphabet[Int(bits >> UInt32(18 - 6 * position)) & 0x3F] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
