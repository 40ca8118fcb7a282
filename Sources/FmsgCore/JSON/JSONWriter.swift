extension JSON {
    /// The value as compact UTF-8, on one line.
    ///
    /// Control characters (C0, DEL, C1), line separators and bidirectional controls are written
    /// as `\u` escapes: the same value to every reader, and harmless where it is shown raw.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// ``bytes`` as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends the value to `output`.
    public func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): JSON.write(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &output)
        }
    }

    static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
                output.append(contentsOf: bytes)
            } else {
                writeEscaped(String(decoding: bytes, as: UTF8.self), to: &output)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output.append(contentsOf: "\\\"".utf8)
            case "\\": output.append(contentsOf: "\\\\".utf8)
            case "\n": output.append(contentsOf: "\\n".utf8)
            case "\r": output.append(contentsOf: "\\r".utf8)
            case "\t": output.append(contentsOf: "\\t".utf8)
            default:
                if scalar.isHarmfulWhenShown {
                    let digits = String(scalar.value, radix: 16)
                    output.append(contentsOf: "\\u".utf8)
                    for _ in digits.utf8.count..<4 { output.append(UInt8(ascii: "0")) }
                    output.append(contentsOf: digits.utf8)
                } else if let bytes = UTF8.encode(scalar) {
                    output.append(contentsOf: bytes)
                }
            }
        }
    }
}

extension JSONObject {
    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            JSON.write(field.key, to: &output)
            output.append(UInt8(ascii: ":"))
            field.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension Unicode.Scalar {
    /// Whether a terminal could act on it or a reader be misled by it: controls (C0, DEL, C1),
    /// line and paragraph separators, and bidirectional controls. All lie below U+10000.
    public var isHarmfulWhenShown: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
