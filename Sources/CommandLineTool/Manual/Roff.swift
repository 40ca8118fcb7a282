/// A text in roff with the macros of man(7), as it grows. What is given is text: nothing in it is
/// ever taken for a macro or an escape.
struct Roff {
    private(set) var text = ""
    private var isAfterHeading = false

    /// No line of the source is longer, in bytes.
    private static let width = 78

    mutating func comment(_ words: String) { text += ".\\\" \(words)\n" }

    /// A macro with its arguments.
    mutating func macro(_ name: String, _ arguments: String...) {
        isAfterHeading = name == "SH" || name == "SS"
        text += "." + ([name] + arguments.map(Self.argument)).joined(separator: " ") + "\n"
    }

    /// Parts what follows from the paragraph before it; below a heading nothing is to be parted.
    mutating func paragraphBreak() {
        if !isAfterHeading { macro("PP") }
    }

    /// Text that is filled, in short lines of source.
    mutating func fill(_ words: String) { write(Self.escape(words)) }

    /// Text with escapes of its own (see ``bold(_:)``).
    mutating func write(_ roff: String) {
        var line = ""
        for word in roff.split(separator: " ") {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > Self.width {
                endLine(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        if !line.isEmpty { endLine(line) }
    }

    private mutating func endLine(_ line: String) {
        // A dot or quote at the beginning would make a macro of it.
        isAfterHeading = false
        let isMacro = line.first == "." || line.first == "'"
        text += (isMacro ? "\\&" : "") + line + "\n"
    }

    /// Lines that stay as they are, to be copied.
    mutating func verbatim(_ lines: [String]) {
        macro("nf")
        for line in lines { endLine(Self.escape(line, isCode: true)) }
        macro("fi")
    }

    static func bold(_ words: String) -> String { "\\fB\(escape(words, isCode: true))\\fR" }

    static func italic(_ words: String) -> String { "\\fI\(escape(words, isCode: true))\\fR" }

    private static func argument(_ words: String) -> String {
        words.contains(" ") || words.isEmpty ? "\"\(words)\"" : words
    }

    /// - Parameter isCode: whether every character is to be the one that is typed: roff makes
    ///   hyphens and curled quotes of some.
    static func escape(_ words: String, isCode: Bool = false) -> String {
        var escaped = ""
        var isWordStart = true
        for scalar in words.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            // In a text the dashes of options alone are typed.
            case "-": escaped += isCode || isWordStart ? "\\-" : "-"
            case "'" where isCode: escaped += "\\(aq"
            case "`" where isCode: escaped += "\\(ga"
            case "^" where isCode: escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\"": escaped += "\\(dq"
            default:
                if scalar.isASCII {
                    escaped.unicodeScalars.append(scalar)
                } else {
                    escaped += "\\[u\(hexadecimal(scalar.value))]"
                }
            }
            isWordStart = scalar == " " || scalar == "(" || (isWordStart && scalar == "-")
        }
        return escaped
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
