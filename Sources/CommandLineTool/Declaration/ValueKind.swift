/// What sort of thing a value is; how a shell completes it follows from this.
public enum ValueKind: Sendable, Equatable {
    case text
    case integer(ClosedRange<Int>)
    case seconds
    case choice([String])
    /// Some of these words, parted by commas.
    case names([String])
    /// Names that `--fields` takes with the command of the line, parted by commas.
    case fieldNames
    case file
    case folder
    case address
    case messageReference
    /// A message reference that stands for a draft.
    case draftReference
    /// The name of an attachment of the message, or draft, that the line names before it.
    case attachmentName
    /// An address, which begins with `@`, or a text; `-1` is a text.
    case recipientOrText
    /// RFC 3339, a date, or an age such as `2d`.
    case instant
    /// The topic of a thread.
    case topic
    /// The words of a command, or a topic of the help.
    case commandName
    case profile
    case url
}

/// How the text of an option or operand becomes a value.
///
/// The general types stand here; a type of another module is made with ``init(_:kind:parse:)``
/// in an extension, so that `.address` can be written wherever one is declared.
public struct ValueType<Element: Sendable>: Sendable {
    /// What stands for the value in the help, in capitals.
    public let placeholder: String
    public let kind: ValueKind
    let parse: @Sendable (String) throws(InvalidValue) -> Element

    /// - Parameter parse: a pure function that gives the value, or throws what was expected.
    public init(
        _ placeholder: String, kind: ValueKind,
        parse: @escaping @Sendable (String) throws(InvalidValue) -> Element
    ) {
        self.placeholder = placeholder
        self.kind = kind
        self.parse = parse
    }
}

/// Why a text is not a value of the wanted type: one line without the text itself.
public struct InvalidValue: Error, Sendable, Equatable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}

extension ValueType where Element == String {
    /// Any text, the empty one too.
    public static func text(_ placeholder: String = "TEXT", kind: ValueKind = .text) -> Self {
        ValueType(placeholder, kind: kind) { text throws(InvalidValue) in text }
    }

    /// The path of a file; not empty.
    public static var file: Self { path("FILE", .file) }

    /// The path of a folder; not empty.
    public static var folder: Self { path("FOLDER", .folder) }

    private static func path(_ placeholder: String, _ kind: ValueKind) -> Self {
        ValueType(placeholder, kind: kind) { text throws(InvalidValue) in
            guard !text.isEmpty else { throw InvalidValue("expected a path") }
            return text
        }
    }
}

extension ValueType where Element == [String] {
    /// Names parted by commas, none of them empty. Which ones there are, the command checks.
    public static func names(_ placeholder: String, kind: ValueKind = .text) -> Self {
        ValueType(placeholder, kind: kind) { text throws(InvalidValue) in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            guard names.allSatisfy({ !$0.isEmpty }) else {
                throw InvalidValue("expected names parted by commas")
            }
            return names.map(String.init)
        }
    }
}

extension ValueType where Element == Int {
    /// A decimal whole number within `range`.
    public static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> Self {
        ValueType(placeholder, kind: .integer(range)) { text throws(InvalidValue) in
            guard let number = Int(text), text.utf8.first != UInt8(ascii: "+"),
                range.contains(number)
            else {
                throw InvalidValue(
                    range.upperBound == .max
                        ? "expected a whole number, \(range.lowerBound) or more"
                        : "expected a whole number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return number
        }
    }
}

extension ValueType where Element == Int64 {
    /// A number of bytes, one or more, with or without a unit: `10485760`, `10M`, `2GB`.
    public static var byteCount: Self {
        ValueType("BYTES", kind: .text) { text throws(InvalidValue) in
            guard let count = ByteCount.parse(text), count > 0 else {
                throw InvalidValue("expected a number of bytes such as 500k, 10M or 2G")
            }
            return count
        }
    }
}

extension ValueType where Element == Double {
    /// Seconds, zero or more, with or without a fraction; at most a year.
    public static var seconds: Self {
        ValueType("SECONDS", kind: .seconds) { text throws(InvalidValue) in
            let isPlain = text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
            }
            guard isPlain, let seconds = Double(text), (0...31_622_400).contains(seconds) else {
                throw InvalidValue("expected a number of seconds")
            }
            return seconds
        }
    }
}

extension ValueType
where Element: RawRepresentable & CaseIterable, Element.RawValue == String {
    /// One of the words of an enumeration.
    public static func choice(_ type: Element.Type, _ placeholder: String) -> Self {
        let words = Element.allCases.map(\.rawValue)
        return ValueType(placeholder, kind: .choice(words)) { text throws(InvalidValue) in
            guard let element = Element(rawValue: text) else {
                throw InvalidValue("expected \(words.joined(separator: ", ", last: " or "))")
            }
            return element
        }
    }
}

extension [String] {
    /// The words in one line, as in "a, b or c".
    func joined(separator: String, last: String) -> String {
        guard count > 1, let end = self.last else { return joined() }
        return dropLast().joined(separator: separator) + last + end
    }
}
