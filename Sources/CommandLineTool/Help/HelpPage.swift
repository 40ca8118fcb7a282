/// The help of a program, as text: the same declarations always give the same text.
public struct HelpPage: Sendable {
    let parser: CommandLineParser
    let about: String
    let width: Int
    let style: Style

    /// - Parameters:
    ///   - about: what the program is, in one line.
    ///   - width: columns of the terminal; beyond 100 lines are not made longer.
    public init(_ parser: CommandLineParser, about: String, width: Int, style: Style = .plain) {
        self.parser = parser
        self.about = about
        self.width = min(max(width, 40), 100)
        self.style = style
    }

    /// The page for what ``CommandLineParser/Request/help(command:isWhole:)`` asks for.
    ///
    /// - Returns: lines, each ended by a line feed.
    /// - Throws: ``UsageError`` when no command begins with these words.
    public func render(_ path: [String], isWhole: Bool) throws(UsageError) -> String {
        let sections: [Section]
        if let command = parser.command(path) {
            sections = page(of: command, isWhole: isWhole)
        } else {
            let commands = parser.commands.filter { $0.path.starts(with: path) }
            guard !commands.isEmpty, !path.isEmpty else {
                guard path.isEmpty else { throw parser.unknownCommand([], path[0]) }
                return text(of: overview(isWhole: isWhole))
            }
            sections = [list(commands, title: "Commands")]
        }
        return text(of: sections)
    }

    /// A heading and its lines; without a heading they stand at the margin.
    struct Section {
        var title: String?
        var lines: [String]
    }

    private func text(of sections: [Section]) -> String {
        sections.filter { !$0.lines.isEmpty }.map { section in
            let heading = section.title.map { [style.apply(.bold, to: $0 + ":")] } ?? []
            return (heading + section.lines).map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func overview(isWhole: Bool) -> [Section] {
        var sections = [
            Section(lines: DisplayText.wrap(about, width: width)),
            Section(
                title: "Usage",
                lines: ["  \(parser.program) [global options] COMMAND [options] [operands]"]),
        ]
        let nameColumns = columns(for: parser.commands.map(\.name))
        for group in CommandGroup.allCases {
            let commands = parser.commands.filter { $0.group == group }
            sections.append(list(commands, title: group.title, columns: nameColumns))
        }
        sections.append(options(parser.globalOptions, title: "Global options"))
        if isWhole { sections.append(exitCodes(ExitCode.all)) }
        sections.append(Section(lines: ["See also: \(parser.program) COMMAND --help"]))
        return sections
    }

    private func page(of command: CommandDeclaration, isWhole: Bool) -> [Section] {
        var sections = [
            Section(lines: DisplayText.wrap(command.summary, width: width)),
            Section(title: "Usage", lines: ["  " + parser.usage(of: command)]),
            examples(command.examples),
        ]
        if isWhole, !command.description.isEmpty {
            sections.append(Section(lines: DisplayText.wrap(command.description, width: width)))
        }
        sections.append(operands(command.operands))
        sections.append(options(command.options, title: "Options"))
        let more = parser.commands.filter {
            $0.path.count > command.path.count && $0.path.starts(with: command.path)
        }
        sections.append(list(more, title: "Commands"))
        guard isWhole else {
            let see = "See also: \(parser.program) \(command.name) --help"
            return sections + [Section(lines: [see])]
        }
        sections.append(options(parser.globalOptions, title: "Global options"))
        if let output = command.output {
            let lines = DisplayText.wrap(output, width: width - 2)
            sections.append(Section(title: "Output with --json", lines: indented(lines)))
        }
        let codes = Set([.done, .failed, .usage] + command.exitCodes)
        sections.append(exitCodes(ExitCode.all.filter(codes.contains)))
        return sections
    }
}
