/// How a message is named: by id, by its SHA-256 on hosts that know it, or as the N-th newest
/// of the inbox.
public enum MessageReference: Sendable, Hashable {
    case id(Int64)
    /// 64 lower-case hexadecimal digits.
    case sha256(String)
    /// Counted from 1, by id descending, drafts and reactions not counted.
    case newest(Int)

    /// - Throws: ``MessageReferenceError`` when `text` is none of the three.
    public init(_ text: String) throws(MessageReferenceError) {
        let isDigits = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if text.utf8.count == 64, text.utf8.allSatisfy(Self.isHexDigit) {
            self = .sha256(text.lowercased())
        } else if isDigits {
            guard let id = Int64(text), id > 0 else { throw MessageReferenceError(text: text) }
            self = .id(id)
        } else if text.hasPrefix("-"), let count = Int(text.dropFirst()), count > 0,
            text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        {
            self = .newest(count)
        } else {
            throw MessageReferenceError(text: text)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}

extension MessageReference: CustomStringConvertible {
    /// As it is typed.
    public var description: String {
        switch self {
        case .id(let id): String(id)
        case .sha256(let hash): hash
        case .newest(let count): "-\(count)"
        }
    }
}

/// A text that names no message.
public struct MessageReferenceError: Error, Sendable, Equatable {
    public let text: String

    /// What is wrong, as a clause that can follow the text and a colon.
    public var reason: String {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty {
            return "an id lies between 1 and \(Int64.max)"
        }
        return "a message is named by its id, its 64-digit SHA-256, or -N for the N-th newest"
    }
}
