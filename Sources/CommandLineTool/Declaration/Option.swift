/// What an option is: the part without its type, from which everything that is shown comes.
public struct OptionDeclaration: Sendable {
    /// The name without its dashes.
    public let long: String
    /// The letter, if it has one.
    public let short: Character?
    /// What it takes; nil for a flag.
    public let value: ValueDeclaration?
    /// One line for the help.
    public let summary: String
    /// Whether every occurrence counts; otherwise the last one does.
    public let isRepeatable: Bool

    /// `--name`, as it is typed.
    public var flag: String { "--\(long)" }

    /// The summary with what can be told of the value.
    var explanation: String {
        var notes: [String] = []
        switch value?.kind {
        case .choice(let words): notes.append(words.joined(separator: ", ", last: " or "))
        case .integer(let range) where range.upperBound != .max:
            notes.append("\(range.lowerBound) to \(range.upperBound)")
        default: break
        }
        if let standard = value?.standard { notes.append("default \(standard)") }
        if isRepeatable { notes.append("repeatable") }
        return notes.isEmpty
            ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
    }
}

/// What value an option takes.
public struct ValueDeclaration: Sendable {
    public let placeholder: String
    public let kind: ValueKind
    /// Whether it may be left out: `--wait` or `--wait=SECONDS`, never `--wait SECONDS`.
    public let isOptional: Bool
    /// What holds without the option, for the help.
    public let standard: String?
    let check: @Sendable (String) throws(InvalidValue) -> Void
}

/// An ``Option`` of any type.
public protocol DeclaredOption: Sendable {
    var declaration: OptionDeclaration { get }
}

/// An option that a command declares once, as a static constant, and reads by the same constant:
///
///     static let limit = Option.value("limit", short: "n", .integer(1...1000), standard: 20, "…")
///     …
///     let limit = invocation[Self.limit]
public struct Option<Value: Sendable>: DeclaredOption {
    public let declaration: OptionDeclaration
    /// The value for what was given, in the order of the line; nil stands for a bare option.
    let read: @Sendable (_ given: [String?]) -> Value
}

extension Option where Value == Bool {
    /// An option without a value.
    public static func flag(_ long: String, short: Character? = nil, _ summary: String) -> Self {
        Option(
            declaration: OptionDeclaration(
                long: long, short: short, value: nil, summary: summary, isRepeatable: false),
            read: { !$0.isEmpty })
    }
}

extension Option {
    /// An option with a value that is `standard` when it is not given. The help shows the
    /// standard, unless it is empty.
    public static func value(
        _ long: String, short: Character? = nil, _ type: ValueType<Value>, standard: Value,
        _ summary: String
    ) -> Self where Value: LosslessStringConvertible {
        value(long, short, type, standard, shown: standard.description, summary)
    }

    /// The same for a word of an enumeration.
    public static func value(
        _ long: String, short: Character? = nil, _ type: ValueType<Value>, standard: Value,
        _ summary: String
    ) -> Self where Value: RawRepresentable, Value.RawValue == String {
        value(long, short, type, standard, shown: standard.rawValue, summary)
    }

    private static func value(
        _ long: String, _ short: Character?, _ type: ValueType<Value>, _ standard: Value,
        shown: String, _ summary: String
    ) -> Self {
        Option(
            declaration: declaration(
                long, short, type, summary, standard: shown.isEmpty ? nil : shown),
            read: { given in values(given, type).last ?? standard })
    }

    /// An option with a value; nil when it is not given.
    public static func value<Element>(
        _ long: String, short: Character? = nil, _ type: ValueType<Element>, _ summary: String
    ) -> Self where Value == Element? {
        Option(
            declaration: declaration(long, short, type, summary),
            read: { given in values(given, type).last })
    }

    /// An option that may be given several times; all its values, in order.
    public static func values<Element>(
        _ long: String, short: Character? = nil, _ type: ValueType<Element>, _ summary: String
    ) -> Self where Value == [Element] {
        Option(
            declaration: declaration(long, short, type, summary, isRepeatable: true),
            read: { given in values(given, type) })
    }

    /// An option whose value may be left out: `--wait` or `--wait=SECONDS`.
    public static func optionalValue<Element>(
        _ long: String, short: Character? = nil, _ type: ValueType<Element>, _ summary: String
    ) -> Self where Value == OptionalValue<Element> {
        Option(
            declaration: declaration(long, short, type, summary, isOptional: true),
            read: { given in
                guard let last = given.last else { return .absent }
                return values([last], type).last.map { .value($0) } ?? .bare
            })
    }

    private static func declaration<Element>(
        _ long: String, _ short: Character?, _ type: ValueType<Element>, _ summary: String,
        isRepeatable: Bool = false, isOptional: Bool = false, standard: String? = nil
    ) -> OptionDeclaration {
        OptionDeclaration(
            long: long, short: short,
            value: ValueDeclaration(
                placeholder: type.placeholder, kind: type.kind, isOptional: isOptional,
                standard: standard,
                check: { text throws(InvalidValue) in _ = try type.parse(text) }),
            summary: summary, isRepeatable: isRepeatable)
    }

    /// The parser has checked every text, so none is dropped here.
    private static func values<Element>(
        _ given: [String?], _ type: ValueType<Element>
    ) -> [Element] {
        given.compactMap { text in text.flatMap { try? type.parse($0) } }
    }
}

/// What was given for an option whose value may be left out.
public enum OptionalValue<Element: Sendable>: Sendable {
    case absent
    case bare
    case value(Element)
}

extension OptionalValue: Equatable where Element: Equatable {}
