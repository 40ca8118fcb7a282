import CommandLineTool

/// One command: what is declared of it, and what it does. A file each, in `Commands/`.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }

    /// The keys of its JSON that `--fields` may name.
    static var keys: [String] { get }

    /// The columns of its text that `--fields` may name; none where it has no columns.
    static var columns: [String] { get }

    /// Does it.
    /// - Returns: ``ExitCode/done``, or a code that is no error.
    /// - Throws: whatever ``ErrorReport`` knows.
    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode
}

extension Command {
    static var keys: [String] { [] }
    static var columns: [String] { [] }

    /// Refuses an unknown name of `--fields` before anything is done.
    static func checkFields(_ invocation: Invocation, isJSON: Bool) throws(UsageError) {
        let known = isJSON ? keys : columns
        for name in invocation[GlobalOptions.fields] ?? [] where !known.contains(name) {
            let hint =
                known.isEmpty
                ? keys.isEmpty
                    ? "this command has no fields" : "its text has no columns: add --json"
                : "there are: \(known.joined(separator: ", "))"
            throw invocation.usageError(
                "--fields \"\(DisplayText.escape(name))\": there is no such field", hint: hint)
        }
    }
}

/// Every built-in command. Parser, help and all that follows come from their declarations.
package enum CommandTable {
    static let all: [any Command.Type] = [
        LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, ProfileListCommand.self,
        ProfileShowCommand.self, ProfileUseCommand.self, ProfileAddCommand.self,
        ProfileRemoveCommand.self, InboxCommand.self, SentCommand.self, ShowCommand.self,
        ThreadCommand.self, BodyCommand.self, DownloadCommand.self, SendCommand.self,
        ReplyCommand.self, ReplyAllCommand.self, ReactCommand.self, MarkReadCommand.self,
        AddToCommand.self, DraftCreateCommand.self, DraftEditCommand.self,
        DraftAttachCommand.self, DraftDetachCommand.self, DraftListCommand.self,
        DraftShowCommand.self, DraftSendCommand.self, DraftDeleteCommand.self,
        WatchCommand.self, AgentCommand.self, ReplCommand.self, SubAccountListCommand.self,
        SubAccountShowCommand.self, SubAccountCreateCommand.self,
        SubAccountAllowCommand.self, SubAccountRotateKeyCommand.self,
        SubAccountDeleteCommand.self, HostCommand.self, HelpCommand.self,
        CompletionCommand.self,
    ]
}
