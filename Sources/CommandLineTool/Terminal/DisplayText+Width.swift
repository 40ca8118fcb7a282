extension DisplayText {
    /// The columns that an escaped text takes on a terminal, whatever the locale.
    public static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    /// The columns of one character as it is seen: 0, 1 or 2.
    ///
    /// A character is as wide as its widest scalar, so that joined emoji take two columns; an
    /// emoji selector (U+FE0F) or a keycap makes it an emoji.
    static func width(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, self.width(scalar))
        }
        return width
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The vowels and final consonants that combine with a Hangul letter before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
    }

    /// The blocks of East Asian wide and fullwidth characters (UAX #11).
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
            0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text cut to `width` columns, with `…` as the last one where anything was cut.
    public static func cut(_ text: String, width: Int) -> String {
        // No character takes more columns than bytes.
        if text.utf8.count <= width { return text }
        guard width > 0 else { return "" }
        var columns = 0
        var end = text.startIndex
        for index in text.indices {
            if columns < width { end = index }
            columns += self.width(text[index])
            if columns > width { return text[..<end] + "…" }
        }
        return text
    }

    /// The text filled up with spaces to `width` columns.
    public static func pad(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - self.width(text)))
    }

    /// The text with spaces before it to fill `width` columns.
    public static func padLeft(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - self.width(text))) + text
    }
}
