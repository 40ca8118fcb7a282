import FmsgCore
import Synchronization

/// The web API of a host: from the head of a request to its answer.
///
/// Each group of routes is an extension in a file of its own.
final class WebAPI: Sendable {
    /// Bytes of a body that is a small JSON object, or that nobody reads.
    private static let smallBody = 64 << 10

    let configuration: HostConfiguration
    let domain: String
    let store: Store
    let signer: TokenSigner
    let hub: Hub
    let stamps: MessageStamps

    init(
        configuration: HostConfiguration, domain: String, store: Store, signer: TokenSigner,
        hub: Hub
    ) throws {
        self.configuration = configuration
        self.domain = domain
        self.store = store
        self.signer = signer
        self.hub = hub
        let latest = try store.read { try $0.first("SELECT max(time) FROM message") { $0.real(0) } }
        stamps = MessageStamps(clock: configuration.clock, after: latest ?? 0)
    }

    var isCurrent: Bool { configuration.generation == .current }

    /// Decides what is done with a request: routes it and authenticates it.
    func plan(_ head: RequestHead) -> Intake {
        configuration.onRequest?(head.method, head.path)
        guard let (route, parameters) = Route.match(method: head.method, path: head.path),
            isServed(route), !parameters.contains(where: { $0.contains("/") })
        else { return .answer(unrouted(head)) }
        do {
            switch route {
            case .token: return small { _ in try self.issueToken(head) }
            case .events: return try openEvents(head)
            default:
                let call = Call(
                    caller: try authenticate(head), parameters: parameters, head: head, body: [])
                return try route == .attach ? attach(call) : collect(route, call)
            }
        } catch {
            return .answer(response(to: error))
        }
    }

    /// An authenticated request.
    struct Call: Sendable {
        let caller: Caller
        let parameters: [String]
        let head: RequestHead
        var body: [UInt8]

        var account: Account { caller.account }
        /// The account's key, by which the database knows it.
        var key: AddressKey { account.key }
        var filename: String { parameters.count > 1 ? parameters[1] : "" }
    }

    private func collect(_ route: Route, _ call: Call) -> Intake {
        let answer: @Sendable ([UInt8]) throws -> HTTPResponse = { body in
            var call = call
            call.body = body
            return try self.answer(route, call)
        }
        guard route == .createDraft || route == .replaceDraft else { return small(answer) }
        // A byte of the body may be a `\u0000` of six in JSON.
        return .collect(
            limit: configuration.limits.body * 6 + Self.smallBody,
            tooLarge: Refusal.bodyTooLarge.response, answer: answering(answer))
    }

    private func answer(_ route: Route, _ call: Call) throws -> HTTPResponse {
        switch route {
        case .inbox, .sent: try list(route, call)
        case .message: try showMessage(call)
        case .createDraft: try createDraft(call)
        case .replaceDraft: try replaceDraft(call)
        case .deleteDraft: try deleteDraft(call)
        case .send: try send(call)
        case .markRead: try markRead(call)
        case .addTo: try addTo(call)
        case .react: try react(call)
        case .data: try data(call)
        case .threadText: try threadText(call)
        case .threadMessages: try threadMessages(call)
        case .attachment: try attachment(call)
        case .detach: try detach(call)
        case .subAccounts: try listSubAccounts(call)
        case .createSubAccount: try createSubAccount(call)
        case .subAccount: try showSubAccount(call)
        case .allowSubAccount: try allowSubAccount(call)
        case .deleteSubAccount: try deleteSubAccount(call)
        case .rotateKey: try rotateKey(call)
        case .token, .events, .attach: .pageNotFound
        }
    }

    private func small(_ answer: @escaping @Sendable ([UInt8]) throws -> HTTPResponse) -> Intake {
        .collect(
            limit: Self.smallBody, tooLarge: Refusal(413, "request body too large").response,
            answer: answering(answer))
    }

    /// `answer` with its errors made answers.
    func answering<Input>(
        _ answer: @escaping @Sendable (Input) throws -> HTTPResponse
    ) -> @Sendable (Input) -> HTTPResponse {
        { input in
            do { return try answer(input) } catch { return self.response(to: error) }
        }
    }

    private func response(to error: any Error) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.response }
        configuration.onFailure?("\(error)")
        return Refusal(500, "internal server error").response
    }

    private func isServed(_ route: Route) -> Bool {
        isCurrent || !(route.isNewerOnly || route == .threadText)
    }

    /// What leads nowhere: a redirect when only a trailing slash is too much, else the plain 404
    /// (web API, section 8).
    private func unrouted(_ head: RequestHead) -> HTTPResponse {
        let shorter = String(head.path.dropLast())
        guard head.path.hasSuffix("/"),
            let (route, _) = Route.match(method: head.method, path: shorter), isServed(route)
        else { return .pageNotFound }
        let isRead = head.method == "GET"
        var response = HTTPResponse.text(
            isRead ? 301 : 307, isRead ? "<a href=\"\(shorter)\">Moved Permanently</a>.\n\n" : "",
            type: "text/html; charset=utf-8")
        response.headers.append(Header("Location", shorter))
        return response
    }
}

/// The times of messages: each later than the last, whatever the clock does, so that of two
/// reactions the later one is known.
final class MessageStamps: Sendable {
    private let clock: @Sendable () -> Double
    private let last: Mutex<Double>

    init(clock: @escaping @Sendable () -> Double, after latest: Double) {
        self.clock = clock
        last = Mutex(latest)
    }

    /// The present in seconds, cut to microseconds.
    func next() -> Double {
        let now = Timestamp.microseconds(clock())
        return last.withLock { last in
            last = max(now, Timestamp.microseconds(last + 1e-6))
            return last
        }
    }
}
