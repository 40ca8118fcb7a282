import CommandLineTool

/// `fmsg help`: the same text as `--help`, and the topics.
enum HelpCommand: Command {
    static let declaration = HelpDeclaration.command(examples: [
        Example("fmsg help", "All commands and topics"),
        Example("fmsg help send", "One command"),
        Example("fmsg help references", "One topic"),
    ])

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let words = try invocation[HelpDeclaration.words]
        if let first = words.first, context.parser.command([first])?.isExternal == true,
            let path = context.runtime.findExternalCommand(first, program: FmsgProgram.name)
        {
            let arguments = Array(words.dropFirst()) + ["--help"]
            guard context.session != nil else { try context.runtime.become(path, arguments) }
            return try await context.runtime.runInForeground(path, arguments)
        }
        let page = HelpPage(
            context.parser, about: FmsgProgram.about, for: context.runtime,
            color: invocation[GlobalOptions.color])
        try context.runtime.standardOutput.write(
            try page.render(words, isWhole: true))
        return .done
    }
}
