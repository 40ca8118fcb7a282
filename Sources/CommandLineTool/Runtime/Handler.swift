/// A hook of `watch` or a handler of `agent`: a shell command that is handed one event.
///
/// It is run by `sh -c` in a process group of its own, with the input on its standard input, its
/// standard error inherited, and no other descriptor of this process. Once the shell has ended the
/// handler is over: what it wrote so far is its output, and whatever it left running in its group
/// is killed.
public struct Handler: Sendable, Equatable {
    /// Where its standard output goes.
    public enum Output: Sendable, Equatable {
        /// To the standard output of this process.
        case inherited
        /// Into ``HandlerOutcome/exited(status:output:)``; beyond `limit` bytes the handler is ended.
        case captured(limit: Int)
    }

    /// The command line for the shell. Nothing that a stranger wrote belongs in it.
    public var command: String
    /// What it can read. Whether it does is its own affair.
    public var input: [UInt8]
    public var environment: Environment
    /// Seconds that it may take; nil for as long as it likes.
    public var timeLimit: Double?
    public var output: Output
    /// Seconds between being asked to end (SIGTERM) and being killed (SIGKILL), both of which go to
    /// the whole group.
    public var gracePeriod: Double

    public init(
        _ command: String, input: [UInt8], environment: Environment, timeLimit: Double? = nil,
        output: Output, gracePeriod: Double = 0.5
    ) {
        self.command = command
        self.input = input
        self.environment = environment
        self.timeLimit = timeLimit
        self.output = output
        self.gracePeriod = gracePeriod
    }
}

/// How a ``Handler`` ended.
public enum HandlerOutcome: Sendable, Equatable, CustomStringConvertible {
    /// By itself. The output is any bytes, also invalid UTF-8; it is empty where it was inherited.
    case exited(status: Int32, output: [UInt8])
    /// By a signal that did not come from here.
    case signalled(Int32)
    /// It was ended after so many seconds.
    case timedOut(after: Double)
    /// It was ended because it wrote more than `limit` bytes.
    case outputTooLong(limit: Int)
    /// It was ended, or not even started, because the task was cancelled.
    case cancelled

    /// What it wrote, if it ended with success.
    public var success: [UInt8]? {
        if case .exited(status: 0, let output) = self { output } else { nil }
    }

    /// For a report, after the handler's name: "ended with exit status 3".
    public var description: String {
        switch self {
        case .exited(let status, _): "ended with exit status \(status)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .timedOut(let seconds): "was ended after \(seconds) seconds"
        case .outputTooLong(let limit): "was ended because it wrote more than \(limit) bytes"
        case .cancelled: "was interrupted"
        }
    }
}
