import CommandLineTool

/// `fmsg repl`: declared here; the program `fmsg-repl` does the work, so that no other command
/// loads readline.
package enum ReplCommand: Command {
    package static let commands = Option.values(
        "command", short: "c", .text("COMMANDS"), "Run these instead of asking for them")
    package static let keepGoing = Option.flag(
        "keep-going", short: "k", "Without a prompt: go on after a failure, and end with 7")
    package static let bell = Option.flag("bell", "Ring the terminal's bell for a notice")
    package static let noHistory = Option.flag("no-history", "Neither read nor keep a history")

    package static let declaration = CommandDeclaration(
        "repl", group: .live, summary: "A prompt for all commands, where mail appears",
        description: """
            Every command works here without the word fmsg, over one connection that is kept. \
            Messages are announced above the prompt as they arrive, and the prompt shows who you \
            are, how many messages are unread, the message that is open, and whether there is a \
            connection.

            "open REF" opens a message. Then reply, react, thread and the like act on it where no \
            other is named, and next, prev, up, branches and save walk its conversation. The lines \
            of the last list are numbered: %1 names the first wherever a message is named. A bare \
            number is always an id.

            "COMMAND | SHELL COMMAND" pipes what a command prints, "COMMAND > FILE" writes it to a \
            file and ">>" adds to it, "!" runs a command of the shell, ";" parts two commands. \
            "COMMAND <<" takes the lines up to one with only a dot as the text. Words with spaces \
            go in quotes. Ctrl-X Ctrl-E opens the line in $VISUAL or $EDITOR \
            and runs what is left there; what stands below the first line is the text of a message.

            Without a terminal, or with -c, it runs the commands one by one, ends at the first \
            failure, and its exit code is that command's.
            """,
        options: [commands, keepGoing, bell, noHistory],
        exitCodes: [
            .notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed, .outcomeUnknown,
            .hungUp, .interrupted, .terminated,
        ],
        examples: [
            Example("fmsg repl", "Open the prompt"),
            Example("fmsg repl -c 'inbox --unread; open %1'", "Two commands, one connection"),
        ],
        isExternal: true)

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        throw invocation.usageError("it is a program of its own")
    }
}
