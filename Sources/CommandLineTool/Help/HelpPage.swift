/// The help of a program, as text: the same declarations always give the same text.
public struct HelpPage: Sendable {
    let parser: CommandLineParser
    let about: String
    let width: Int
    let style: Style

    /// - Parameters:
    ///   - about: what the program is, in one line.
    ///   - width: columns of the terminal; beyond 100 lines are not made longer. Lines that are
    ///     to be copied are never broken.
    public init(_ parser: CommandLineParser, about: String, width: Int, style: Style = .plain) {
        self.parser = parser
        self.about = about
        self.width = min(max(width, 20), 100)
        self.style = style
    }

    /// The help as the program's own surroundings want it.
    public init(
        _ parser: CommandLineParser, about: String, for runtime: Runtime,
        color: ColorChoice = .auto
    ) {
        let isTerminal = runtime.terminal.isTerminal(.output)
        self.init(
            parser, about: about, width: isTerminal ? runtime.terminal.columns : 80,
            style: .decide(color, runtime.environment, isTerminal: isTerminal))
    }

    /// The page for what ``CommandLineParser/Request/help(command:isWhole:)`` asks for, or of a
    /// topic.
    ///
    /// - Returns: lines, each ended by a line feed.
    /// - Throws: ``UsageError`` when no command begins with these words and no topic is named so.
    public func render(_ path: [String], isWhole: Bool) throws(UsageError) -> String {
        if path.isEmpty { return text(of: overview(isWhole: isWhole)) }
        if let command = parser.command(path) {
            return text(of: page(of: command, isWhole: isWhole))
        }
        let commands = parser.commands.filter { $0.path.starts(with: path) }
        if !commands.isEmpty { return text(of: [list(commands, title: "Commands")]) }
        guard path.count == 1, let topic = parser.topics.first(where: { $0.name == path[0] })
        else { throw parser.unknownPage(path) }
        return text(of: page(of: topic))
    }

    /// A heading and its lines; without a heading they stand at the margin.
    struct Section {
        var title: String?
        var lines: [String]
    }

    private func text(of sections: [Section]) -> String {
        sections.filter { !$0.lines.isEmpty }.map { section in
            let title = section.title.map { DisplayText.wrap($0 + ":", width: width) } ?? []
            let heading = title.map { style.apply(.bold, to: $0) }
            return (heading + section.lines).map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func overview(isWhole: Bool) -> [Section] {
        var sections = [
            Section(lines: DisplayText.wrap(about, width: width)),
            usage("\(parser.program) [global options] COMMAND [options] [operands]"),
        ]
        let nameColumns = columns(for: (parser.commands.map(\.name) + parser.topics.map(\.name)))
        for group in CommandGroup.allCases {
            let commands = parser.commands.filter { $0.group == group }
            sections.append(list(commands, title: group.title, columns: nameColumns))
        }
        sections.append(
            table(
                parser.topics.map { ($0.name, $0.summary) }, title: "Topics", columns: nameColumns))
        sections.append(options(parser.globalOptions, title: "Global options"))
        if isWhole { sections.append(exitCodes(ExitCode.all)) }
        let see = "See also: \(parser.program) help COMMAND"
        return sections + [seeAlso(parser.topics.isEmpty ? see : "\(see) or TOPIC")]
    }

    private func page(of command: CommandDeclaration, isWhole: Bool) -> [Section] {
        var sections = [
            Section(lines: DisplayText.wrap(command.summary, width: width)),
            usage(parser.usage(of: command)), examples(command.examples),
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
            return sections + [seeAlso("See also: \(parser.program) \(command.name) --help")]
        }
        sections.append(options(parser.globalOptions, title: "Global options"))
        if let output = command.output {
            let lines = DisplayText.wrap(output, width: width - 2)
            sections.append(Section(title: "Output with --json", lines: indented(lines)))
        }
        sections.append(exitCodes(command.allExitCodes))
        return sections
    }

    private func seeAlso(_ line: String) -> Section {
        Section(lines: DisplayText.wrap(line, width: width))
    }

    private func page(of topic: HelpTopic) -> [Section] {
        var sections = [Section(lines: DisplayText.wrap(topic.summary, width: width))]
        for block in topic.blocks {
            switch block {
            case .heading(let title): sections.append(Section(title: title, lines: []))
            case .paragraph(let text): add(DisplayText.wrap(text, width: width), to: &sections)
            case .terms(let terms):
                add(rows(terms.map { ($0.name, $0.explanation) }), to: &sections)
            case .examples(let examples): add(self.examples(examples).lines, to: &sections)
            }
        }
        return sections
    }

    /// Adds lines below a heading that has none yet, or as a section of their own.
    private func add(_ lines: [String], to sections: inout [Section]) {
        if let last = sections.last, last.title != nil, last.lines.isEmpty {
            sections[sections.count - 1].lines = lines
        } else {
            sections.append(Section(lines: lines))
        }
    }
}
