import CommandLineTool
import FmsgCore

/// What any error becomes: an exit code, one line for a person, one object for a script. The only
/// place where errors turn into either.
struct ErrorReport: Sendable, Equatable {
    /// A stable word for scripts.
    let code: String
    /// The host's own words where there are any.
    let message: String
    let hint: String?
    let exitCode: ExitCode
    var status: Int?
    var hostCode: String?
    var isRetryable: Bool?
    var draftId: Int64?
    /// The message that it is about.
    var messageId: Int64?
    /// The file that it is about.
    var filename: String?

    init(_ error: any Error) {
        switch error {
        case let error as FmsgError: self.init(error)
        case let error as UsageError:
            self.init("usage", error.message, error.hint, .usage)
        case let error as CommandFailure:
            self.init(Self.word(error.exitCode), error.message, error.hint, error.exitCode)
            messageId = error.messageId
        case let error as OutputError:
            self.init(Self.word(error.exitCode), error.description, nil, error.exitCode)
        case let error as SentUntold:
            self.init(
                Self.word(error.cause.exitCode),
                "message \(error.id) was sent, but this could not be told: \(error.cause)",
                "do not send it again", error.cause.exitCode)
            messageId = error.id
        case let error as FileError: self.init("failed", error.description, nil, .failed)
        case let error as InputError:
            self.init(
                "failed", error.description, nil, error == .cancelled ? .interrupted : .failed)
        case let error as ProcessError: self.init("failed", error.description, nil, .failed)
        case is CancellationError: self.init("interrupted", "interrupted", nil, .interrupted)
        default: self.init("failed", SafeText.line("\(error)", limit: 200), nil, .failed)
        }
    }

    private init(_ code: String, _ message: String, _ hint: String?, _ exitCode: ExitCode) {
        self.code = code
        self.message = SafeText.redacted(message)
        self.hint = hint
        self.exitCode = exitCode
    }

    private init(_ error: FmsgError) {
        let exitCode = Self.exitCode(error.category)
        self.init(
            Self.word(error.category), error.message, Self.hint(for: error), exitCode)
        switch error {
        case .refused(let refusal):
            status = refusal.status
            hostCode = refusal.code
            isRetryable = error.isRetryable
        case .transport: isRetryable = error.isRetryable
        case .outcomeUnknown(let draftId, _), .draftRemains(let draftId, _):
            self.draftId = draftId
        case .noDraft(let id): messageId = id
        default: break
        }
    }

    private static func exitCode(_ category: FmsgError.Category) -> ExitCode {
        switch category {
        case .usage: .usage
        case .notFound: .notFound
        case .notAuthenticated: .notAuthenticated
        case .refused, .unsupported: .refused
        case .unreachable: .hostUnavailable
        case .outcomeUnknown: .outcomeUnknown
        case .cancelled: .interrupted
        case .failed: .failed
        }
    }

    private static func word(_ category: FmsgError.Category) -> String {
        category == .unsupported ? "unsupported" : word(exitCode(category))
    }

    private static func word(_ exitCode: ExitCode) -> String {
        switch exitCode {
        case .usage: "usage"
        case .notFound: "not_found"
        case .notAuthenticated: "not_authenticated"
        case .refused: "refused"
        case .hostUnavailable: "unreachable"
        case .outcomeUnknown: "outcome_unknown"
        case .interrupted, .terminated, .hungUp: "interrupted"
        case .readerGone: "reader_gone"
        default: "failed"
        }
    }

    private static func hint(for error: FmsgError) -> String? {
        switch error {
        case .refused(let refusal) where refusal.status == 401:
            "log in again: fmsg login"
        case .unsupported(.inbox), .unsupported(.token), .malformedAnswer:
            "is this the URL of an fmsg host?"
        case .draftRemains(let draftId, _): "it is unsent: fmsg draft delete \(draftId)"
        case .unsupported: "this host is older than that"
        case .outcomeUnknown(let draftId, _):
            "look before you send again: fmsg show \(draftId)"
        case .transport(let error) where error.kind == .unavailable: "install libcurl4"
        default: nil
        }
    }

    /// Whether it ends also what was still to be done: whoever interrupts means all of it, and
    /// without a reader nothing can be told.
    var endsEverything: Bool {
        [.interrupted, .terminated, .hungUp, .readerGone].contains(exitCode)
    }

    /// The line for a person, without its end.
    func line(program: String) -> String {
        let line = "\(program): \(DisplayText.escape(message))"
        return hint.map { "\(line); \(DisplayText.escape($0))" } ?? line
    }

    /// The object for a script. Keys without a value are left out.
    var json: JSON {
        var error: JSONObject = ["code": .string(code), "message": .string(message)]
        if let status { error["status"] = .integer(status) }
        if let hostCode { error["host_code"] = .string(hostCode) }
        if let isRetryable { error["retryable"] = .bool(isRetryable) }
        if let hint { error["hint"] = .string(hint) }
        if let draftId { error["draft_id"] = .integer(draftId) }
        if let messageId { error[Field.id] = .integer(messageId) }
        if let filename { error[Field.filename] = .string(filename) }
        return .object(["error": .object(error)])
    }
}
