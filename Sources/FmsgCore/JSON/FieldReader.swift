/// A place in a host's answer where the shape is not the web API's.
public struct ShapeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was expected and where, for a person: `messages[3].id: a positive 64-bit integer`.
    public var reason: String

    init(_ field: String, _ expected: String) { reason = "\(field): \(expected) is expected" }

    init(reason: String) { self.reason = reason }

    public var description: String { reason }
}

/// Reads typed fields of an object by the web API's conventions (section 2): an absent field or
/// null takes the default, a null array is empty, unknown fields are left alone.
struct FieldReader {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    init(_ value: JSON, as name: String) throws(ShapeError) {
        guard let object = value.object else { throw ShapeError(name, "an object") }
        self.object = object
    }

    func string(_ field: String) throws(ShapeError) -> String? {
        try read(field, "a string") { $0.string }
    }

    func bool(_ field: String) throws(ShapeError) -> Bool {
        try read(field, "true or false") { $0.bool } ?? false
    }

    func double(_ field: String) throws(ShapeError) -> Double? {
        try read(field, "a number") { $0.double }
    }

    func integer(_ field: String) throws(ShapeError) -> Int64? {
        try read(field, "a 64-bit integer") { $0.int64 }
    }

    /// A message's id: a positive signed 64-bit integer.
    func id(_ field: String) throws(ShapeError) -> Int64? {
        try read(field, "a positive 64-bit integer") { value in
            value.int64.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    func strings(_ field: String) throws(ShapeError) -> [String] {
        var strings: [String] = []
        for value in try array(field) {
            guard let string = value.string else { throw ShapeError(field, "an array of strings") }
            strings.append(string)
        }
        return strings
    }

    func array(_ field: String) throws(ShapeError) -> [JSON] {
        try read(field, "an array") { $0.array } ?? []
    }

    /// Every element of an array, decoded.
    func list<Element>(
        _ field: String, _ decode: (FieldReader) throws(ShapeError) -> Element
    ) throws(ShapeError) -> [Element] {
        var elements: [Element] = []
        for (index, value) in try array(field).enumerated() {
            do {
                elements.append(try decode(try FieldReader(value, as: "an item")))
            } catch {
                throw ShapeError(reason: "\(field)[\(index)].\(error.reason)")
            }
        }
        return elements
    }

    func required<Value>(_ field: String, _ value: Value?) throws(ShapeError) -> Value {
        guard let value else { throw ShapeError(reason: "\(field) is missing") }
        return value
    }

    private func read<Value>(
        _ field: String, _ expected: String, _ convert: (JSON) -> Value?
    ) throws(ShapeError) -> Value? {
        guard let value = object[field], !value.isNull else { return nil }
        guard let converted = convert(value) else { throw ShapeError(field, expected) }
        return converted
    }
}
