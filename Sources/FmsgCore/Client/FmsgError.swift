/// Whatever a call of ``FmsgClient`` can fail with.
public enum FmsgError: Error, Sendable, Equatable {
    /// What was asked for breaks a rule that needs no host to tell; nothing was requested.
    case invalid(String)
    /// There is no credential, or what there is cannot be read.
    case noCredential(String)
    /// There was no whole answer.
    case transport(TransportError)
    /// The host answered, and refused.
    case refused(HostRefusal)
    /// The host is too old for the route (web API, section 8: a plain-text 404).
    case unsupported(Route)
    /// The host's answer is not what the web API says.
    case malformedAnswer(Route, reason: String)
    /// No message of that name.
    case notFound(String)
    /// A message that was sent already, where a draft is needed.
    case noDraft(Int64)
    /// The lineage has more than ``LineageWalk/maximumDepth`` messages, or runs in a circle.
    case threadTooDeep
    /// A message may have been sent: what became of the draft could not be found out (web API,
    /// section 9).
    case outcomeUnknown(draftId: Int64, cause: String)
    /// Nothing was sent, for `cause`, and the draft that was made for it could not be deleted.
    indirect case draftRemains(draftId: Int64, cause: FmsgError)
    /// The task was cancelled.
    case cancelled

    /// What kind of failure it is; a command's exit code follows from it.
    public enum Category: Sendable {
        case usage, notFound, notAuthenticated, refused, unsupported, unreachable, outcomeUnknown
        case cancelled, failed
    }

    public var category: Category {
        switch self {
        case .invalid: .usage
        case .noCredential: .notAuthenticated
        case .transport(let error): error.kind == .cancelled ? .cancelled : error.category
        case .refused(let refusal): refusal.category
        case .unsupported: .unsupported
        case .malformedAnswer: .unreachable
        case .notFound: .notFound
        case .noDraft, .threadTooDeep: .refused
        case .outcomeUnknown: .outcomeUnknown
        case .draftRemains(_, let cause): cause.category
        case .cancelled: .cancelled
        }
    }

    /// One line for a person: the host's own words where it gave any, without secrets and
    /// control characters.
    public var message: String {
        switch self {
        case .invalid(let message), .noCredential(let message), .notFound(let message): message
        case .transport(let error): error.message
        case .refused(let refusal): refusal.message
        case .unsupported(let route): "the host does not know \(route.rawValue)"
        case .malformedAnswer(let route, let reason):
            "the host's answer to \(route.rawValue) cannot be read: \(reason)"
        case .noDraft(let id): "message \(id) was sent already: it is no draft"
        case .threadTooDeep: "the thread has more than \(LineageWalk.maximumDepth) messages"
        case .outcomeUnknown(let draftId, let cause):
            "message \(draftId) may have been sent; its outcome could not be found out: \(cause)"
        case .draftRemains(let draftId, let cause):
            "\(cause.message) (nothing was sent; draft \(draftId) could not be deleted)"
        case .cancelled: "interrupted"
        }
    }

    /// Whether the same call may succeed later without anything being changed.
    public var isRetryable: Bool {
        switch self {
        case .transport(let error): [.unreachable, .timedOut, .broken].contains(error.kind)
        case .refused(let refusal): refusal.status == 429 || refusal.status >= 500
        case .draftRemains(_, let cause): cause.isRetryable
        default: false
        }
    }
}

extension TransportError {
    fileprivate var category: FmsgError.Category {
        switch kind {
        case .invalidURL: .usage
        case .unreachable, .tls, .timedOut, .broken, .tooLarge, .malformed: .unreachable
        case .source, .sink, .unavailable: .failed
        case .cancelled: .cancelled
        }
    }
}

/// An answer of the host that is no success.
public struct HostRefusal: Error, Sendable, Equatable {
    public let route: Route
    /// The HTTP status.
    public let status: Int
    /// The host's own words, bounded, on one line, without secrets.
    public let message: String
    /// The host's machine-readable code, where it gave one.
    public let code: String?
    /// Seconds after which the host allows another try, where it said so.
    public let retryAfter: Double?

    /// The longest message that is kept, in characters.
    static let maximumMessage = 300

    /// - Parameter response: an answer that is no success.
    public init(route: Route, response: TransportResponse) {
        self.route = route
        status = response.status
        retryAfter = response.header("Retry-After").flatMap(Double.init)
        let object = (try? JSON.read(response.body))?.object
        code = object?[Field.code]?.string.map { SafeText.line($0, limit: 64) }
        if status == 407 {
            message =
                "HTTP 407: the proxy wants a user name and password, or others than it was given"
        } else if let words = object?[Field.error]?.string, !words.isEmpty {
            message = SafeText.line(words, limit: Self.maximumMessage)
        } else {
            message = Self.describe(response)
        }
    }

    /// A bounded preview of an answer that is no JSON error.
    private static func describe(_ response: TransportResponse) -> String {
        if (300..<400).contains(response.status), let target = response.header("Location") {
            return
                "HTTP \(response.status): a redirect to \(SafeText.line(withoutUserInfo(target), limit: 200)), "
                + "which is never followed with a credential"
        }
        let type = response.header("Content-Type").map { MediaType.essence($0) } ?? ""
        let bytes = response.body.prefix(4 * maximumMessage)
        let words = SafeText.line(String(decoding: bytes, as: UTF8.self), limit: 120)
        if words.isEmpty { return "HTTP \(response.status)" }
        if type == "text/html" { return "HTTP \(response.status) with a web page: \(words)" }
        return "HTTP \(response.status): \(words)"
    }

    /// A URL without what may be a password.
    private static func withoutUserInfo(_ url: String) -> String {
        guard let start = url.firstRange(of: "//")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[start..<end].lastIndex(of: "@") else { return url }
        return String(url[..<start] + url[url.index(after: at)...])
    }

    var category: FmsgError.Category {
        switch status {
        case 401: .notAuthenticated
        case 404: .notFound
        // It is a proxy's: no host has one.
        case 407: .unreachable
        case 400..<429, 430..<500: .refused
        default: .unreachable
        }
    }
}
