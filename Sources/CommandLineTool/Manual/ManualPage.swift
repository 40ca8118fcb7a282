/// A page of the manual in roff, made from the declarations: the same ones always give the same
/// page.
public struct ManualPage: Sendable {
    /// What it is found by: `fmsg-inbox`.
    public let name: String
    /// 1 for programs, 5 for files.
    public let section: Int
    public let text: String

    /// Where it stands in a folder of pages: `man1/fmsg-inbox.1`.
    public var path: String { "man\(section)/\(name).\(section)" }

    /// Another page, as it is referred to.
    public struct Reference: Sendable {
        public let name: String
        public let section: Int

        public init(_ name: String, _ section: Int) {
            self.name = name
            self.section = section
        }
    }

    init(
        _ name: String, _ section: Int, about: String, seeAlso: [Reference],
        _ write: (inout Roff) -> Void
    ) {
        var roff = Roff()
        roff.comment("Made from the declarations by make generate: changes here are lost.")
        roff.macro(
            "TH", name.uppercased(), String(section), FmsgVersion.date,
            "fmsg \(FmsgVersion.number)",
            "fmsg manual")
        roff.macro("SH", "NAME")
        roff.write("\(Roff.escape(name, isCode: true)) \\- \(Roff.escape(about))")
        write(&roff)
        let others = seeAlso.filter { $0.name != name }
        if !others.isEmpty {
            roff.macro("SH", "SEE ALSO")
            roff.write(
                others.map { "\(Roff.bold($0.name))(\($0.section))" }.joined(separator: ", "))
        }
        self.name = name
        self.section = section
        text = roff.text
    }
}

extension ManualPage {
    /// The page of one command.
    public static func of(
        _ command: CommandDeclaration, in parser: CommandLineParser, seeAlso: [Reference]
    ) -> ManualPage {
        let name = ([parser.program] + command.path).joined(separator: "-")
        return ManualPage(name, 1, about: command.summary.uncapitalized, seeAlso: seeAlso) { roff in
            roff.macro("SH", "SYNOPSIS")
            roff.synopsis(of: command, in: parser)
            roff.macro("SH", "DESCRIPTION")
            roff.paragraphs(command.prose)
            roff.section("OPERANDS", roff.rows(command.operands))
            roff.section("OPTIONS", roff.rows(command.options))
            roff.section("GLOBAL OPTIONS", roff.rows(parser.globalOptions))
            if let output = command.output {
                roff.macro("SH", "OUTPUT WITH \\-\\-json")
                roff.paragraphs(output)
            }
            roff.macro("SH", "EXIT STATUS")
            roff.write(.exitCodes(command.allExitCodes))
            roff.macro("SH", "EXAMPLES")
            roff.write(.examples(command.examples))
        }
    }

    /// The page of a whole program: its commands in short, and the topics.
    public static func of(
        _ parser: CommandLineParser, about: String, description: String,
        topics: [HelpTopic], seeAlso: [Reference]
    ) -> ManualPage {
        program(parser, about, description, seeAlso) { roff in
            for group in CommandGroup.allCases {
                let commands = parser.commands.filter { $0.group == group }
                guard !commands.isEmpty else { continue }
                roff.macro("SS", group.title)
                for command in commands { roff.row(Roff.bold(command.name), command.summary) }
            }
        } rest: { roff in
            for topic in topics {
                roff.macro("SH", topic.name.uppercased().replacing("-", with: " "))
                for block in topic.blocks { roff.write(block) }
            }
        }
    }

    /// The page of a small program, with all that there is to say of its commands.
    public static func whole(
        _ parser: CommandLineParser, about: String, description: String, seeAlso: [Reference]
    ) -> ManualPage {
        program(parser, about, description, seeAlso) { roff in
            for command in parser.commands {
                roff.macro("SS", parser.usage(of: command))
                roff.paragraphs(command.prose)
                for (name, text) in roff.rows(command.operands) + roff.rows(command.options) {
                    roff.row(name, text)
                }
                if let output = command.output { roff.paragraphs("With --json: \(output)") }
            }
        } rest: { roff in
            roff.macro("SH", "EXIT STATUS")
            roff.write(.exitCodes([.done, .failed, .usage]))
            roff.macro("SH", "EXAMPLES")
            roff.write(.examples(parser.commands.flatMap(\.examples)))
        }
    }

    /// What the pages of programs have in common, around their commands and before the rest.
    private static func program(
        _ parser: CommandLineParser, _ about: String, _ description: String,
        _ seeAlso: [Reference], commands: (inout Roff) -> Void, rest: (inout Roff) -> Void
    ) -> ManualPage {
        ManualPage(parser.program, 1, about: about, seeAlso: seeAlso) { roff in
            roff.synopsis(of: parser)
            roff.macro("SH", "DESCRIPTION")
            roff.paragraphs(description)
            roff.macro("SH", "COMMANDS")
            commands(&roff)
            roff.section("GLOBAL OPTIONS", roff.rows(parser.globalOptions))
            rest(&roff)
        }
    }

    /// A page of files, from topics: the text of the first, and a section for each other.
    public static func ofFiles(
        _ name: String, _ first: HelpTopic, _ others: [HelpTopic], seeAlso: [Reference]
    ) -> ManualPage {
        ManualPage(name, 5, about: first.summary.uncapitalized, seeAlso: seeAlso) { roff in
            roff.macro("SH", "DESCRIPTION")
            for block in first.blocks { roff.write(block) }
            for topic in others {
                roff.macro("SH", topic.name.uppercased())
                for block in topic.blocks { roff.write(block) }
            }
        }
    }
}

extension CommandDeclaration {
    /// What is said of it, however short.
    fileprivate var prose: String { description.isEmpty ? "\(summary)." : description }
}

extension String {
    /// A summary as it stands after the dash of NAME.
    fileprivate var uncapitalized: String { prefix(1).lowercased() + dropFirst() }
}
