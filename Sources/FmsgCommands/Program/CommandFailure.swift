import CommandLineTool

/// A failure that a command finds out by itself.
package struct CommandFailure: Error, Sendable, Equatable {
    /// One line; what a host or a person gave is escaped in it.
    let message: String
    /// What to do about it.
    let hint: String?
    let exitCode: ExitCode
    /// The message that it is about.
    let messageId: Int64?

    package init(
        _ message: String, hint: String? = nil, exitCode: ExitCode = .failed,
        messageId: Int64? = nil
    ) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
        self.messageId = messageId
    }
}
