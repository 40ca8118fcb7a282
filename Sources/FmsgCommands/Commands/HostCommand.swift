import CommandLineTool

/// `fmsg host`: declared for the help; the program `fmsg-host` does the work, so that no other
/// command loads a server.
enum HostCommand: Command {
    static let declaration = CommandDeclaration(
        "host", group: .host, summary: "Run a host of your own, for one domain",
        examples: [
            Example("fmsg host demo", "A shell with a throw-away host and three users"),
            Example("fmsg host run --domain example.com", "A host that stays"),
        ],
        isExternal: true)

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        throw invocation.usageError("it is a program of its own")
    }
}
