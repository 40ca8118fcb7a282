import CommandLineTool

/// `fmsg completion`: the script of a shell.
enum CompletionCommand: Command {
    static let shell = Operand.required(
        "SHELL", .choice(CompletionRequest.Shell.self, "SHELL"), "bash, zsh or fish")

    static let declaration = CommandDeclaration(
        "completion", group: .help, summary: "Print the completion script of a shell",
        description: """
            An installed fmsg is completed already. The script asks fmsg itself what fits: \
            commands, options, values, files, profiles, and from a small cache ids of recent \
            messages with sender and topic, addresses, and names of attachments. The host is \
            asked in the background, so that you never wait for it.

            zsh needs compinit before it.
            """,
        operands: [shell],
        examples: [
            Example("source <(fmsg completion bash)", "In ~/.bashrc"),
            Example("fmsg completion zsh > _fmsg", "In a folder of $fpath"),
            Example("fmsg completion fish > fmsg.fish", "In ~/.config/fish/completions"),
        ])

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let script = CompletionScript(context.parser).text(for: try invocation[shell])
        try context.runtime.standardOutput.write(script)
        return .done
    }
}
