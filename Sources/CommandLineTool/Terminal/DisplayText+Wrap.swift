extension DisplayText {
    /// The text in lines of at most `width` columns, broken at spaces; a longer word has a line
    /// of its own. Paragraphs stay apart by an empty line; a line that begins with a space stays
    /// as it is. No line ends in a space.
    public static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var columns = 0
        func endLine() {
            if !line.isEmpty { lines.append(line) }
            line = ""
            columns = 0
        }
        for source in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if source.isEmpty || source.first == " " {
                endLine()
                lines.append(source.allSatisfy { $0 == " " } ? "" : String(source))
                continue
            }
            for word in source.split(separator: " ") {
                let wordColumns = self.width(String(word))
                if columns > 0, columns + 1 + wordColumns > width { endLine() }
                if columns > 0 {
                    line += " "
                    columns += 1
                }
                line += word
                columns += wordColumns
            }
        }
        endLine()
        return lines
    }
}
