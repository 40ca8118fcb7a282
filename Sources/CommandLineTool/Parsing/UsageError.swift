/// What is wrong with a command line, and what to do about it. Ends with ``ExitCode/usage``.
public struct UsageError: Error, Sendable, Equatable {
    /// One line; whatever the caller typed is in it with its harmful characters escaped.
    public let message: String
    /// One line that helps on; nil when the message says it all.
    public let hint: String?
    /// The words of the command that was meant, as far as they were understood.
    public let command: [String]

    public init(_ message: String, hint: String? = nil, command: [String] = []) {
        self.message = message
        self.hint = hint
        self.command = command
    }
}
