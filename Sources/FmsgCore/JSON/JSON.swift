/// A JSON value (RFC 8259) that keeps what it was given: the order of keys, unknown fields, and
/// every digit of a number.
///
/// It is our own, since a page of 100 messages must be read and written in about a millisecond,
/// with unknown fields passed through and 64-bit ids exact.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number as it was written, so that no id ever passes through a double.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSON { .number(String(value)) }

    /// A finite number; anything else is null, since JSON has no other.
    public static func double(_ value: Double) -> JSON {
        guard value.isFinite else { return .null }
        return .number(Int64(exactly: value).map { String($0) } ?? "\(value)")
    }

    /// An array of strings.
    public static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }

    /// The string, when this is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number as an exact 64-bit integer; nil for fractions and what does not fit.
    public var int64: Int64? {
        if case .number(let text) = self { Int64(text) } else { nil }
    }

    public var double: Double? {
        if case .number(let text) = self { Double(text) } else { nil }
    }

    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// A JSON object: fields in the order they came.
public struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public typealias Field = (key: String, value: JSON)

    public private(set) var fields: [Field]

    public init(fields: [Field] = []) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, JSON)...) {
        fields = elements.map { (key: $0.0, value: $0.1) }
    }

    /// The value of a field; of several with one name the last counts. Setting nil removes it,
    /// setting a value keeps its place or appends it.
    public subscript(key: String) -> JSON? {
        get { fields.last { $0.key == key }?.value }
        set {
            guard let newValue else {
                fields.removeAll { $0.key == key }
                return
            }
            if let index = fields.lastIndex(where: { $0.key == key }) {
                fields[index].value = newValue
            } else {
                fields.append((key, newValue))
            }
        }
    }

    /// Puts a field first, where it is not there yet.
    public mutating func prepend(_ key: String, _ value: JSON) {
        guard self[key] == nil else { return }
        fields.insert((key, value), at: 0)
    }

    /// The same fields with every value replaced by `transform`.
    public func mapValues(_ transform: (String, JSON) -> JSON) -> JSONObject {
        JSONObject(fields: fields.map { ($0.key, transform($0.key, $0.value)) })
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.fields.count == right.fields.count
            && zip(left.fields, right.fields).allSatisfy {
                $0.key == $1.key && $0.value == $1.value
            }
    }
}
