/// A text whose secrets are replaced: API keys, JWTs and private keys in PEM or OpenPGP armour.
///
/// It is for what is about to be sent, where a slip cannot be taken back. It goes over the text
/// once, however long it is.
public struct Redaction: Sendable, Equatable {
    /// The text without its secrets.
    public let text: String
    /// How many were replaced.
    public let count: Int

    public var isRedacted: Bool { count > 0 }

    public init(_ text: String) {
        let bytes = Array(text.utf8)
        var search = SecretSearch(bytes)
        var kept: [UInt8] = []
        var from = 0
        var count = 0
        while let (secret, range) = search.next() {
            kept += bytes[from..<range.lowerBound]
            kept += "[redacted \(secret.rawValue)]".utf8
            from = range.upperBound
            count += 1
        }
        self.count = count
        self.text = count == 0 ? text : String(decoding: kept + bytes[from...], as: UTF8.self)
    }

    /// Whether a text is a JWT and nothing more.
    public static func isToken(_ text: String) -> Bool {
        var search = SecretSearch(Array(text.utf8))
        guard let (secret, range) = search.next() else { return false }
        return secret == .token && range == 0..<text.utf8.count
    }
}

extension Redaction {
    /// How many were replaced, in words: "2 secrets are replaced".
    public static func words(_ count: Int) -> String {
        count == 1 ? "1 secret is replaced" : "\(count) secrets are replaced"
    }
}

extension NewMessage {
    /// The message without the secrets in its topic and text, and how many those were.
    public func redacted() -> (message: NewMessage, count: Int) {
        let (topic, text) = (Redaction(topic), Redaction(text))
        var message = self
        message.topic = topic.text
        message.text = text.text
        return (message, topic.count + text.count)
    }
}

/// A kind of secret; the raw value is its name.
private enum Secret: String {
    case apiKey = "API key"
    case token = "token"
    case privateKey = "private key"
}

/// Finds secrets one after another, in time that grows with the text alone.
private struct SecretSearch {
    private static let keyPrefix = Array("fmsgk_".utf8)
    /// `{"` in Base64: the beginning of a JWT's header, and of its claims.
    private static let objectPrefix = Array("eyJ".utf8)
    private static let armourBegin = Array("-----BEGIN ".utf8)
    private static let armourEnd = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let privateKeyLabels = ["PRIVATE KEY", "PRIVATE KEY BLOCK"].map {
        Array($0.utf8)
    }
    private static let longestLabel = 80

    private let bytes: [UInt8]
    private var position = 0
    /// Up to here there is no token: what began in this run of characters was none.
    private var tokensFrom = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (Secret, Range<Int>)? {
        while position < bytes.count {
            let start = position
            let found: (Secret, end: Int)? =
                switch bytes[start] {
                case UInt8(ascii: "f"): endOfKey(start).map { (.apiKey, $0) }
                case UInt8(ascii: "e"): endOfToken(start).map { (.token, $0) }
                case UInt8(ascii: "-"): endOfPrivateKey(start).map { (.privateKey, $0) }
                default: nil
                }
            position = found?.end ?? start + 1
            if let found { return (found.0, start..<found.end) }
        }
        return nil
    }

    private func has(_ word: [UInt8], at start: Int) -> Bool {
        bytes[start...].starts(with: word)
    }

    /// The first place from `start` on whose byte is another than those.
    private func end(from start: Int, while isIncluded: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex { !isIncluded($0) } ?? bytes.count
    }

    /// `fmsgk_<key id>_<secret>`; both parts may hold `+` and `/`.
    private func endOfKey(_ start: Int) -> Int? {
        guard has(Self.keyPrefix, at: start) else { return nil }
        let id = start + Self.keyPrefix.count
        let split = end(from: id) { Self.isKeyByte($0) && $0 != UInt8(ascii: "_") }
        guard split > id, split + 1 < bytes.count, bytes[split] == UInt8(ascii: "_"),
            Self.isKeyByte(bytes[split + 1])
        else { return nil }
        return end(from: split, while: Self.isKeyByte)
    }

    /// Three parts of URL-safe Base64 parted by dots, the last of which may be empty.
    private mutating func endOfToken(_ start: Int) -> Int? {
        guard start >= tokensFrom, has(Self.objectPrefix, at: start) else { return nil }
        let header = end(from: start, while: Self.isBase64Byte)
        tokensFrom = header
        guard header < bytes.count, bytes[header] == UInt8(ascii: "."),
            has(Self.objectPrefix, at: header + 1)
        else { return nil }
        let claims = end(from: header + 1, while: Self.isBase64Byte)
        guard claims < bytes.count, bytes[claims] == UInt8(ascii: ".") else { return nil }
        return end(from: claims + 1, while: Self.isBase64Byte)
    }

    /// A block from its first line to its last, or to the end of the text where that is missing.
    private func endOfPrivateKey(_ start: Int) -> Int? {
        guard has(Self.armourBegin, at: start),
            var position = endOfLabel(start + Self.armourBegin.count)
        else { return nil }
        while position < bytes.count {
            if has(Self.armourEnd, at: position),
                let end = endOfLabel(position + Self.armourEnd.count)
            {
                return end
            }
            position += 1
        }
        return bytes.count
    }

    /// The end of a private key's label with the five dashes after it.
    private func endOfLabel(_ start: Int) -> Int? {
        let label = bytes[start...].prefix(Self.longestLabel).prefix { $0 != UInt8(ascii: "-") }
        guard has(Self.dashes, at: label.endIndex),
            Self.privateKeyLabels.contains(where: { label.suffix($0.count).elementsEqual($0) })
        else { return nil }
        return label.endIndex + Self.dashes.count
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isBase64Byte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "=")
    }

    /// A character of URL-safe Base64.
    private static func isBase64Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
