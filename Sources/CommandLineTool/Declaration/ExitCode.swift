/// What a program says to its caller when it ends: the one table of all codes.
public struct ExitCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let done = ExitCode(rawValue: 0)
    public static let failed = ExitCode(rawValue: 1)
    public static let nothingCame = ExitCode(rawValue: 2)
    public static let notFound = ExitCode(rawValue: 3)
    public static let notAuthenticated = ExitCode(rawValue: 4)
    public static let refused = ExitCode(rawValue: 5)
    public static let hostUnavailable = ExitCode(rawValue: 6)
    public static let someFailed = ExitCode(rawValue: 7)
    public static let usage = ExitCode(rawValue: 64)
    public static let outcomeUnknown = ExitCode(rawValue: 75)
    public static let hungUp = ExitCode(rawValue: 129)
    public static let interrupted = ExitCode(rawValue: 130)
    public static let readerGone = ExitCode(rawValue: 141)
    public static let terminated = ExitCode(rawValue: 143)

    /// Every code with a meaning, in order.
    public static let all: [ExitCode] = [
        .done, .failed, .nothingCame, .notFound, .notAuthenticated, .refused, .hostUnavailable,
        .someFailed, .usage, .outcomeUnknown, .hungUp, .interrupted, .readerGone, .terminated,
    ]

    /// What the code tells, in a few words; empty for a code that is another program's.
    public var meaning: String {
        switch self {
        case .done: "done, and the host confirmed it"
        case .failed: "failed, for none of the other reasons"
        case .nothingCame: "nothing came before the time ran out"
        case .notFound: "not found"
        case .notAuthenticated: "not authenticated: no, expired or revoked credentials"
        case .refused: "refused by the host"
        case .hostUnavailable: "host unreachable or failing"
        case .someFailed: "some of several failed; each is reported"
        case .usage: "the command line is wrong"
        case .outcomeUnknown: "outcome unknown: it may have been sent"
        case .hungUp: "the terminal hung up"
        case .interrupted: "interrupted"
        case .readerGone: "the reader of the output is gone"
        case .terminated: "terminated"
        default: ""
        }
    }
}
