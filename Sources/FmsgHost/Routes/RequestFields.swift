import FmsgCore

/// The JSON object in the body of a request, read with the refusals of the reference server.
struct RequestFields {
    private let object: JSONObject
    /// The name of the whole in refusals.
    private let name: String

    /// - Throws: ``Refusal`` when `body` is not one JSON object.
    init(_ body: [UInt8], name: String) throws {
        self.name = name
        guard !body.isEmpty else { throw Refusal(400, "EOF") }
        let value: JSON
        do throws(JSONError) {
            value = try JSON.read(body)
        } catch {
            let isCut = error.offset >= body.count
            throw Refusal(400, isCut ? "unexpected EOF" : "invalid JSON: \(error.reason)")
        }
        guard let object = value.object else {
            throw Refusal(
                400, "json: cannot unmarshal \(Self.kind(value)) into Go value of type \(name)")
        }
        self.object = object
    }

    subscript(_ field: String) -> JSON { object[field] ?? .null }

    func string(_ field: String) throws -> String {
        try value(field, "string", "") { $0.string }
    }

    func bool(_ field: String) throws -> Bool {
        try value(field, "bool", false) { $0.bool }
    }

    func integer(_ field: String) throws -> Int64 {
        try value(field, "int", 0) { $0.int64 }
    }

    func strings(_ field: String) throws -> [String] {
        guard !self[field].isNull else { return [] }
        guard let values = self[field].array else {
            throw mismatch(field, self[field], "[]string")
        }
        return try values.map { value in
            guard let string = value.isNull ? "" : value.string else {
                throw mismatch(field, value, "string")
            }
            return string
        }
    }

    /// The field's value, or `absent` when it is null or not there.
    private func value<Value>(
        _ field: String, _ type: String, _ absent: Value, _ read: (JSON) -> Value?
    ) throws -> Value {
        let json = self[field]
        if json.isNull { return absent }
        guard let value = read(json) else { throw mismatch(field, json, type) }
        return value
    }

    func mismatch(_ field: String, _ value: JSON, _ type: String) -> Refusal {
        let kind = Self.kind(value)
        return Refusal(
            400,
            "json: cannot unmarshal \(kind) into Go struct field \(name).\(field) of type \(type)")
    }

    private static func kind(_ value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
