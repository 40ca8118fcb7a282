extension Roff {
    mutating func synopsis(of parser: CommandLineParser) {
        macro("SH", "SYNOPSIS")
        write(
            "\(Self.bold(parser.program)) [global\\~options] \(Self.italic("COMMAND")) "
                + "[options] [operands]")
    }

    mutating func synopsis(of command: CommandDeclaration, in parser: CommandLineParser) {
        let name = "\(parser.program) \(command.name)"
        let rest = parser.usage(of: command).dropFirst(name.count)
        write(Self.bold(name) + Self.escape(String(rest)))
    }

    /// Paragraphs that are parted by empty lines; lines that begin with a space stay as they are.
    mutating func paragraphs(_ text: String) {
        var lines: [String] = []
        let source = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in source + [""] {
            guard line.isEmpty else {
                lines.append(line)
                continue
            }
            guard let first = lines.first else { continue }
            paragraphBreak()
            first.hasPrefix(" ") ? verbatim(lines) : fill(lines.joined(separator: " "))
            lines = []
        }
    }

    /// A term that is roff already, and its explanation.
    mutating func row(_ name: String, _ explanation: String) {
        macro("TP")
        write(name)
        explanation.isEmpty ? write("\\&") : fill(explanation)
    }

    /// A section of terms; none when there are none.
    mutating func section(_ title: String, _ rows: [(name: String, text: String)]) {
        guard !rows.isEmpty else { return }
        macro("SH", title)
        for (name, text) in rows { row(name, text) }
    }

    func rows(_ operands: [OperandDeclaration]) -> [(name: String, text: String)] {
        operands.map { (Self.italic($0.name), "\($0.summary).") }
    }

    func rows(_ options: [OptionDeclaration]) -> [(name: String, text: String)] {
        options.map { option in
            let letter = option.short.map { "\(Self.bold("-\($0)")), " } ?? ""
            var name = letter + Self.bold(option.flag)
            if let value = option.value {
                let placeholder = Self.italic(value.placeholder)
                name += value.isOptional ? "[=\(placeholder)]" : "\\~\(placeholder)"
            }
            return (name, option.explanation + ".")
        }
    }

    mutating func write(_ block: TextBlock) {
        switch block {
        case .heading(let title): macro("SS", title)
        case .paragraph(let text): paragraphs(text)
        case .terms(let terms):
            for term in terms { row(Self.bold(term.name), term.explanation) }
        case .examples(let examples):
            for example in examples {
                paragraphBreak()
                fill(example.explanation + ":")
                paragraphBreak()
                verbatim([example.command])
            }
        }
    }
}
