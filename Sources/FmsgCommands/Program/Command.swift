import CommandLineTool

/// One command: what is declared of it, and what it does. A file each, in `Commands/`.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }

    /// Does it.
    /// - Returns: ``ExitCode/done``, or a code that is no error.
    /// - Throws: whatever ``ErrorReport`` knows.
    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode
}

/// Every built-in command. Parser, help and all that follows come from their declarations.
enum CommandTable {
    static let all: [any Command.Type] = [
        LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, InboxCommand.self,
        SentCommand.self, ShowCommand.self, ThreadCommand.self, SendCommand.self,
        ReplyCommand.self, ReplyAllCommand.self, ReactCommand.self, MarkReadCommand.self,
        WatchCommand.self, AgentCommand.self, HostCommand.self, HelpCommand.self,
    ]
}
