/// Why bytes are not the JSON that was expected.
public struct JSONError: Error, Sendable, Equatable {
    /// What was wrong, for a person.
    public var reason: String
    /// Offset in bytes of the place.
    public var offset: Int
}

extension JSON {
    /// The deepest nesting that is read; deeper input is refused, so that it cannot exhaust
    /// the stack.
    public static let maximumDepth = 128

    /// Reads one JSON text (RFC 8259). Malformed UTF-8 and lone surrogates become U+FFFD.
    /// - Throws: ``JSONError`` when it is not one whole value and nothing more, or nested
    ///   deeper than ``maximumDepth``.
    public static func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes: bytes)
        return try reader.readDocument()
    }

    /// Reads one JSON text.
    /// - Throws: as ``read(_:)-([UInt8])``.
    public static func read(_ text: String) throws(JSONError) -> JSON { try read(Array(text.utf8)) }
}

/// A recursive-descent reader over bytes.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func readDocument() throws(JSONError) -> JSON {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try readValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error("something follows the value") }
        return value
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(reason: position >= bytes.count ? "it ends too early" : reason, offset: position)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.maximumDepth else { throw error("it is nested too deep") }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONObject {
        position += 1
        var fields: [JSONObject.Field] = []
        if take(UInt8(ascii: "}")) { return JSONObject() }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw error("a key is expected") }
            let key = try readString()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is expected") }
            fields.append((key, try readValue(depth: depth + 1)))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("a comma or a closing brace is expected") }
        return JSONObject(fields: fields)
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> [JSON] {
        position += 1
        var values: [JSON] = []
        if take(UInt8(ascii: "]")) { return values }
        repeat {
            values.append(try readValue(depth: depth + 1))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else {
            throw error("a comma or a closing bracket is expected")
        }
        return values
    }

    private mutating func readWord(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let length = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { wanted in
            bytes.count - position >= length
                && bytes[position..<position + length].elementsEqual(wanted)
        }
        guard matches else { throw error("a value is expected") }
        position += length
        return value
    }

    private mutating func readNumber() throws(JSONError) -> String {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let whole = try readDigits()
        if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
            throw error("a number begins with a needless zero")
        }
        if current == UInt8(ascii: ".") {
            position += 1
            _ = try readDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            _ = try readDigits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readDigits() throws(JSONError) -> Int {
        let start = position
        while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
        guard position > start else { throw error("a value is expected") }
        return position - start
    }

    private mutating func readString() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
            byte >= 0x20
        {
            position += 1
        }
        let plain = bytes[start..<position]
        if current == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: plain, as: UTF8.self)
        }
        return try readEscapedString(after: plain)
    }

    private mutating func readEscapedString(after plain: ArraySlice<UInt8>) throws(JSONError)
        -> String
    {
        var text = Array(plain)
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try readEscape(into: &text)
            case 0..<0x20:
                position -= 1
                throw error("a control character stands in a string")
            default: text.append(byte)
            }
        }
        throw error("a string is not closed")
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw error("an escape is cut") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try readUnicodeEscape()).utf8)
        default:
            position -= 1
            throw error("an escape is unknown")
        }
    }

    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let unit = try readHexUnit()
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? replacement }
        guard bytes.count - position >= 6, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return replacement }
        let mark = position
        position += 2
        let trail = try readHexUnit()
        guard UTF16.isTrailSurrogate(trail) else {
            position = mark
            return replacement
        }
        let value = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(trail) & 0x3FF
        return Unicode.Scalar(value) ?? replacement
    }

    private mutating func readHexUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else {
                throw error("a \\u escape needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
