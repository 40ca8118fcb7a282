import CommandLineTool

/// `fmsg help`: the same text as `--help`.
enum HelpCommand: Command {
    static let words = Operand.repeated(
        "COMMAND", .text("COMMAND", kind: .commandName), "A command; without one, all of them")

    static let declaration = CommandDeclaration(
        "help", group: .help, summary: "Show help for a command, or list all commands",
        operands: [words],
        examples: [
            Example("fmsg help", "All commands"), Example("fmsg help send", "One of them"),
        ])

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let words = try invocation[words]
        if let first = words.first, context.parser.command([first])?.isExternal == true,
            let path = context.runtime.findExternalCommand(first, program: FmsgProgram.name)
        {
            let arguments = Array(words.dropFirst()) + ["--help"]
            guard context.session != nil else { try context.runtime.become(path, arguments) }
            return try await context.runtime.runInForeground(path, arguments)
        }
        let page = HelpPage.ofFmsg(
            context.parser, for: context.runtime, color: invocation[GlobalOptions.color])
        try context.runtime.standardOutput.write(
            try page.render(words, isWhole: true))
        return .done
    }
}
