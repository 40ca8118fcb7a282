import CommandLineTool

/// Text that comes in pieces, made fit for a terminal; anything else is refused.
struct TerminalText: Sendable {
    /// The beginning of a character whose rest is still to come.
    private var unfinished: [UInt8] = []
    private var endsLine = true

    /// What to show of the next bytes.
    /// - Throws: ``CommandFailure`` when they are no text.
    mutating func take(_ bytes: [UInt8]) throws(CommandFailure) -> String {
        var bytes = unfinished + bytes
        let rest = Self.unfinished(bytes)
        unfinished = Array(bytes.suffix(rest))
        bytes.removeLast(rest)
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.binary
        }
        if let last = bytes.last { endsLine = last == UInt8(ascii: "\n") }
        return DisplayText.escape(text, keepsLines: true)
    }

    /// What to show at the end: the next prompt begins a line.
    mutating func end() throws(CommandFailure) -> String {
        guard unfinished.isEmpty else { throw Self.binary }
        return endsLine ? "" : "\n"
    }

    private static let binary = CommandFailure(
        "this is no text, and is not written to a terminal", hint: "save it with -o FILE")

    /// How many bytes at the end begin a character that is not whole.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > index + 1 ? index + 1 : 0
        }
        return 0
    }
}
