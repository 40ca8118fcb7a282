extension HelpPage {
    /// Commands with their summaries.
    func list(_ commands: [CommandDeclaration], title: String, columns: Int? = nil) -> Section {
        table(commands.map { ($0.name, $0.summary) }, title: title, columns: columns)
    }

    /// How it is called, broken only at spaces.
    func usage(_ line: String) -> Section {
        let lines = DisplayText.wrap(line, width: width - 6)
        return Section(
            title: "Usage",
            lines: lines.enumerated().map { ($0 == 0 ? "  " : "      ") + $1 })
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
        table(options.map { (form(of: $0), $0.explanation) }, title: title)
    }

    func exitCodes(_ codes: [ExitCode]) -> Section {
        table(codes.map { (String($0.rawValue), $0.meaning) }, title: "Exit codes")
    }

    func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "  " + $0 } }

    /// Whether there is room for two columns.
    private var isWide: Bool { width >= 44 }

    /// The columns that hold the widest of some names, within reason.
    func columns(for names: [String]) -> Int {
        min(names.map { DisplayText.width($0) }.max() ?? 0, width * 2 / 5)
    }

    func table(
        _ rows: [(name: String, explanation: String)], title: String, columns: Int? = nil
    ) -> Section {
        Section(title: title, lines: self.rows(rows, columns: columns))
    }

    /// Two columns, numbers at the right of the first; what does not fit the first is followed
    /// by its explanation on the next line. On a narrow terminal all of them are.
    func rows(
        _ rows: [(name: String, explanation: String)], columns: Int? = nil
    ) -> [String] {
        let nameColumns = isWide ? columns ?? self.columns(for: rows.map(\.name)) : 0
        let isNumbered = isWide && rows.allSatisfy { Int($0.name) != nil }
        let margin = String(repeating: " ", count: isWide ? nameColumns + 4 : 6)
        return rows.flatMap { row -> [String] in
            let text = DisplayText.wrap(row.explanation, width: width - margin.utf8.count)
            let indent = isNumbered ? max(0, nameColumns - row.name.utf8.count) : 0
            let name = isWide ? row.name : String(row.name.drop { $0 == " " })
            let first = String(repeating: " ", count: indent + 2) + name
            guard let line = text.first else { return [first] }
            return DisplayText.width(name) > nameColumns
                ? [first] + text.map { margin + $0 }
                : [DisplayText.pad(first, width: nameColumns + 4) + line]
                    + text.dropFirst().map { margin + $0 }
        }
    }

    /// `-n, --limit N`, as it is typed.
    func form(of option: OptionDeclaration) -> String {
        let letter = option.short.map { "-\($0), " } ?? "    "
        guard let value = option.value else { return letter + option.flag }
        return value.isOptional
            ? "\(letter)\(option.flag)[=\(value.placeholder)]"
            : "\(letter)\(option.flag) \(value.placeholder)"
    }
}
