extension HelpPage {
    /// Commands with their summaries.
    func list(_ commands: [CommandDeclaration], title: String, columns: Int? = nil) -> Section {
        table(commands.map { ($0.name, $0.summary) }, title: title, columns: columns)
    }

    func examples(_ examples: [Example]) -> Section {
        Section(
            title: "Examples",
            lines: examples.flatMap { example in
                ["  " + example.command]
                    + DisplayText.wrap(example.explanation, width: width - 6).map { "      " + $0 }
            })
    }

    func operands(_ operands: [OperandDeclaration]) -> Section {
        table(operands.map { ($0.name, $0.summary) }, title: "Operands")
    }

    func options(_ options: [OptionDeclaration], title: String) -> Section {
        table(options.map { (form(of: $0), explanation(of: $0)) }, title: title)
    }

    func exitCodes(_ codes: [ExitCode]) -> Section {
        let rows = codes.map { code in
            let number = String(code.rawValue)
            return (String(repeating: " ", count: max(0, 3 - number.utf8.count)) + number, code)
        }
        return table(rows.map { ($0, $1.meaning) }, title: "Exit codes")
    }

    func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "  " + $0 } }

    /// The columns that hold the widest of some names, within reason.
    func columns(for names: [String]) -> Int {
        min(names.map { DisplayText.width($0) }.max() ?? 0, width * 2 / 5)
    }

    /// Two columns; what does not fit the first is followed by its explanation on the next line.
    private func table(
        _ rows: [(name: String, explanation: String)], title: String, columns: Int? = nil
    ) -> Section {
        let nameColumns = columns ?? self.columns(for: rows.map(\.name))
        let margin = String(repeating: " ", count: nameColumns + 4)
        let lines = rows.flatMap { row -> [String] in
            let text = DisplayText.wrap(row.explanation, width: width - nameColumns - 4)
            let name = "  " + row.name
            guard let first = text.first else { return [name] }
            return DisplayText.width(row.name) > nameColumns
                ? [name] + text.map { margin + $0 }
                : [DisplayText.pad(name, width: nameColumns + 4) + first]
                    + text.dropFirst().map { margin + $0 }
        }
        return Section(title: title, lines: lines)
    }

    /// `-n, --limit N`, as it is typed.
    private func form(of option: OptionDeclaration) -> String {
        let letter = option.short.map { "-\($0), " } ?? "    "
        guard let value = option.value else { return letter + option.flag }
        return value.isOptional
            ? "\(letter)\(option.flag)[=\(value.placeholder)]"
            : "\(letter)\(option.flag) \(value.placeholder)"
    }

    /// The summary with what can be told of the value.
    private func explanation(of option: OptionDeclaration) -> String {
        var notes: [String] = []
        switch option.value?.kind {
        case .choice(let words): notes.append(words.joined(separator: ", ", last: " or "))
        case .integer(let range) where range.upperBound != .max:
            notes.append("\(range.lowerBound) to \(range.upperBound)")
        default: break
        }
        if let standard = option.value?.standard { notes.append("default \(standard)") }
        if option.isRepeatable { notes.append("repeatable") }
        return notes.isEmpty
            ? option.summary : "\(option.summary) (\(notes.joined(separator: "; ")))"
    }
}
