import FmsgCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder of JSON Schemas (draft 2020-12), and what does not fit them. It knows the keywords that
/// they use, and calls any other a fault, so that none is written in vain.
public struct JSONSchema: Sendable {
    /// `docs/schema` of this package.
    public static let ofPackage = JSONSchema(
        folder: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/schema"))

    private let documents: [String: JSON]

    public init(folder: URL) {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))) ?? []
        var documents: [String: JSON] = [:]
        for file in files where file.hasSuffix(".json") {
            guard let data = try? Data(contentsOf: folder.appending(path: file)) else { continue }
            documents[file] = (try? JSON.read(Array(data))) ?? .null
        }
        self.documents = documents
    }

    /// The names of the schemas, without `.json`.
    public var names: [String] { documents.keys.map { String($0.dropLast(5)) }.sorted() }

    /// Every schema that another one refers to.
    public var references: Set<String> {
        Set(documents.values.flatMap(Self.references).map { String($0.prefix { $0 != "." }) })
    }

    /// What of a value does not fit a schema, a line each.
    public func faults(of value: JSON, _ name: String) -> [String] {
        let file = name + ".json"
        guard let schema = documents[file] else { return ["there is no schema \(file)"] }
        return faults(value, schema, in: file, at: "")
    }

    /// The keys that an object of a schema can have, whichever form it takes, or an item of its
    /// array.
    public func keys(_ name: String) -> Set<String> {
        documents[name + ".json"].map { keys($0, in: name + ".json") } ?? []
    }

    // MARK: Validating

    private func faults(_ value: JSON, _ schema: JSON, in file: String, at path: String)
        -> [String]
    {
        guard let schema = schema.object else { return ["\(file): a schema is no object"] }
        let place = path.isEmpty ? "the value" : path
        return schema.fields.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "$schema", "$defs", "title", "description", "format": return []
            case "$ref":
                guard let (target, targetFile) = resolve(rule, in: file) else {
                    return ["\(file): \(rule.text) leads nowhere"]
                }
                return faults(value, target, in: targetFile, at: path)
            case "anyOf":
                let forms = rule.array ?? []
                let tried = forms.map { faults(value, $0, in: file, at: path) }
                guard !tried.contains(where: \.isEmpty) else { return [] }
                return ["\(place) has none of \(forms.count) forms: \(tried)"]
            case "type":
                let types = rule.string.map { [$0] } ?? rule.array?.compactMap(\.string) ?? []
                return types.contains { Self.isOf($0, value) }
                    ? [] : ["\(place) is not \(types.joined(separator: " or "))"]
            case "const": return value == rule ? [] : ["\(place) is not \(rule.text)"]
            case "enum":
                return rule.array?.contains(value) == true
                    ? [] : ["\(place) is not of \(rule.text)"]
            case "minimum":
                guard let number = value.double, let minimum = rule.double else { return [] }
                return number >= minimum ? [] : ["\(place) is below \(rule.text)"]
            case "pattern":
                guard let text = value.string, let pattern = rule.string,
                    let expression = try? Regex(pattern)
                else { return [] }
                return text.contains(expression) ? [] : ["\(place) does not match \(pattern)"]
            case "items":
                return (value.array ?? []).enumerated().flatMap {
                    faults($0.element, rule, in: file, at: "\(path)[\($0.offset)]")
                }
            case "required":
                guard let object = value.object else { return [] }
                return (rule.array ?? []).compactMap(\.string).filter { object[$0] == nil }
                    .map { "\(place) lacks \($0)" }
            case "properties":
                guard let object = value.object else { return [] }
                return (rule.object?.fields ?? []).flatMap { key, inner in
                    object[key].map { faults($0, inner, in: file, at: "\(path).\(key)") } ?? []
                }
            case "additionalProperties":
                guard let object = value.object, rule == .bool(false) else { return [] }
                let known = Set(schema["properties"]?.object?.fields.map(\.key) ?? [])
                return object.fields.map(\.key).filter { !known.contains($0) }
                    .map { "\(place) has \($0), which \(file) does not know" }
            default: return ["\(file): the keyword \(keyword) is not known here"]
            }
        }
    }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
            ("object", .object), ("number", .number):
            true
        case ("integer", .number): value.int64 != nil
        default: false
        }
    }

    // MARK: References

    private func resolve(_ reference: JSON, in file: String) -> (JSON, String)? {
        let parts = (reference.string ?? "").split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let target = first.isEmpty ? file : String(first)
        guard var schema = documents[target] else { return nil }
        for key in parts.dropFirst().joined().split(separator: "/") {
            guard let inner = schema.object?[String(key)] else { return nil }
            schema = inner
        }
        return (schema, target)
    }

    private static func references(_ schema: JSON) -> [String] {
        switch schema {
        case .object(let object):
            object.fields.flatMap { key, value in
                key == "$ref" ? [value.string ?? ""] : references(value)
            }
        case .array(let items): items.flatMap(references)
        default: []
        }
    }

    private func keys(_ schema: JSON, in file: String) -> Set<String> {
        guard let schema = schema.object else { return [] }
        var keys = Set(schema["properties"]?.object?.fields.map(\.key) ?? [])
        if let reference = schema["$ref"], let (target, targetFile) = resolve(reference, in: file) {
            keys.formUnion(self.keys(target, in: targetFile))
        }
        if let items = schema["items"] { keys.formUnion(self.keys(items, in: file)) }
        for form in schema["anyOf"]?.array ?? [] { keys.formUnion(self.keys(form, in: file)) }
        return keys
    }
}
