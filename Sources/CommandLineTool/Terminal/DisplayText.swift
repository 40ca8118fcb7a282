import FmsgCore

/// Text made fit for a terminal.
public enum DisplayText {
    /// The text with every character that a terminal could act on, or a reader be misled by,
    /// written out: `\x1b`, `\u202e`. Line feeds stay when `keepsLines` is set; tabs never do.
    public static func escape(_ text: String, keepsLines: Bool = false) -> String {
        let isHarmful: (Unicode.Scalar) -> Bool = {
            $0.isHarmfulWhenShown && !(keepsLines && $0 == "\n")
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                escaped += notation(scalar)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The text as one field of a tab-separated line: tab, line feed, carriage return and
    /// backslash as `\t`, `\n`, `\r`, `\\`, other harmful characters as in ``escape(_:keepsLines:)``.
    public static func field(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.isHarmfulWhenShown || $0 == "\\" }) else {
            return text
        }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\\": escaped += "\\\\"
            default:
                if scalar.isHarmfulWhenShown {
                    escaped += notation(scalar)
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    /// The fields as one tab-separated record, without a line end.
    public static func record(_ fields: [String]) -> String {
        fields.map(field).joined(separator: "\t")
    }

    private static func notation(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let (prefix, width) = scalar.value < 0x100 ? ("\\x", 2) : ("\\u", 4)
        return prefix + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
