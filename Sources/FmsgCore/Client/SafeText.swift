/// Text from a host, a library or a command line, made fit for an error.
public enum SafeText {
    /// `text` on one line of at most `limit` characters: white space folded, control and
    /// bidirectional characters taken out, API keys and tokens replaced.
    public static func line(_ text: String, limit: Int) -> String {
        let bounded = String(decoding: text.utf8.prefix(limit * 8), as: UTF8.self)
        let words = bounded.split { character in
            character == " " || character.unicodeScalars.allSatisfy(\.isHarmfulWhenShown)
        }
        let harmless = words.map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.filter { !$0.isHarmfulWhenShown }))
        }
        let line = redacted(harmless.joined(separator: " "))
        return line.count <= limit ? line : line.prefix(limit - 1) + "…"
    }

    /// `text` with every word that holds an API key or a token replaced.
    public static func redacted(_ text: String) -> String {
        guard text.contains("fmsgk_") || text.contains("eyJ") else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.contains("fmsgk_") || word.contains("eyJ") ? "[redacted]" : String(word)
        }.joined(separator: " ")
    }
}
