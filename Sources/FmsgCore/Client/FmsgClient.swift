/// A client of one host for one acting address: a method a route of the web API, and the few
/// steps that belong together (sending, replying, reading a lineage) as one call.
///
/// It owns no network: a ``Transport`` is handed in, as are clock and token cache. Calls may
/// overlap; they share kept connections and one token.
///
/// ```swift
/// let client = FmsgClient(
///     host: try HostURL("https://fmsg.example.com"), credential: .apiKey(key),
///     transport: transport, clock: clock)
/// for message in try await client.inbox() where !message.isReaction {
///     print(message.from, message.topic)
/// }
/// try await client.send(NewMessage(to: ["@bob@example.com"], text: "Hello"))
/// ```
public actor FmsgClient {
    /// The host that is spoken to.
    public nonisolated let host: HostURL
    let transport: any Transport
    let tokens: TokenSource
    let clock: FmsgClock
    private let actAs: String?

    /// - Parameters:
    ///   - actAs: the sub-account that an owner with an identity provider's token acts as.
    public init(
        host: HostURL, credential: Credential, transport: any Transport, clock: FmsgClock,
        cache: TokenCache = .none, actAs: String? = nil
    ) {
        self.host = host
        self.transport = transport
        self.clock = clock
        self.actAs = actAs
        tokens = TokenSource(credential: credential, cache: cache, clock: clock.now) {
            (key) throws(FmsgError) in
            try await Self.exchange(key, at: host, over: transport)
        }
    }

    private init(_ other: FmsgClient, transport: any Transport) {
        host = other.host
        self.transport = transport
        tokens = other.tokens
        clock = other.clock
        actAs = other.actAs
    }

    /// A client of the same identity with the same tokens, whose requests go through what `wrap`
    /// makes of the transport; the exchange of a key does not.
    public nonisolated func wrapped(
        _ wrap: (any Transport) -> any Transport
    ) -> FmsgClient {
        FmsgClient(self, transport: wrap(transport))
    }

    /// Who the client is, by its token: no request while a good one is at hand.
    public func whoami() async throws(FmsgError) -> Identity {
        let token = try await tokens.token()
        return Identity(
            address: actAs ?? token.address, owner: actAs == nil ? token.owner : token.address,
            tokenExpiresAt: token.expiresAt)
    }

    /// Lets seconds pass.
    /// - Throws: ``FmsgError/cancelled``.
    func pause(_ seconds: Double) async throws(FmsgError) {
        do {
            try await clock.sleep(seconds)
        } catch {
            throw .cancelled
        }
    }

    // MARK: One request

    /// Performs a request of a protected route: with a token, once more with a fresh one when
    /// the host answers 401, and with every refusal as an error.
    func perform(
        _ route: Route, _ parameters: [String] = [], query: [(String, String)] = [],
        body: JSONObject? = nil, maximumResponseBytes: Int = ResponseLimit.object
    ) async throws(FmsgError) -> TransportResponse {
        var request = TransportRequest(
            method: route.method, url: host.url(of: route, parameters, query: query),
            maximumResponseBytes: maximumResponseBytes)
        if let body {
            request.headers = [Header("Content-Type", "application/json")]
            request.body = .bytes(JSON.object(body).bytes)
        }
        return try Self.success(
            try await authorized(request) { [transport] (request) throws(TransportError) in
                try await transport.send(request)
            }, route)
    }

    /// Sends `request` with a token, and once more with another after a 401.
    func authorized(
        _ request: TransportRequest,
        _ send: @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse
    ) async throws(FmsgError) -> TransportResponse {
        let token = try await tokens.token()
        let first = signed(request, with: token)
        let response = try await Self.carried { () throws(TransportError) in
            try await send(first)
        }
        guard response.status == 401, let fresh = try await tokens.replacement(for: token) else {
            return response
        }
        let second = signed(request, with: fresh)
        return try await Self.carried { () throws(TransportError) in try await send(second) }
    }

    private func signed(_ request: TransportRequest, with token: AccessToken) -> TransportRequest {
        var request = request
        request.headers.append(Header("Authorization", "Bearer \(token.token)"))
        if let actAs { request.headers.append(Header(HeaderName.actAs, actAs)) }
        return request
    }

    private static func exchange(
        _ key: String, at host: HostURL, over transport: any Transport
    ) async throws(FmsgError) -> TokenGrant {
        let request = TransportRequest(
            method: Route.token.method, url: host.url(of: .token, [], query: []),
            headers: [Header("Authorization", "Bearer \(key)")],
            maximumResponseBytes: ResponseLimit.object)
        let response = try success(
            try await carried { () throws(TransportError) in try await transport.send(request) },
            .token)
        return try decode(response, .token) { (value) throws(ShapeError) in
            try TokenGrant(try FieldReader(value, as: "the answer"))
        }
    }

    /// A transport's call with its error as ``FmsgError``.
    static func carried<Value: Sendable>(
        _ call: @Sendable () async throws(TransportError) -> Value
    ) async throws(FmsgError) -> Value {
        do {
            return try await call()
        } catch {
            throw error.kind == .cancelled ? .cancelled : .transport(error)
        }
    }

    /// The answer when it is a success; else the refusal as an error.
    static func success(
        _ response: TransportResponse, _ route: Route
    ) throws(FmsgError) -> TransportResponse {
        guard !(200..<300).contains(response.status) else { return response }
        // A host tells what it does not find as JSON; plain text means that the route is unknown.
        if response.status == 404, (try? JSON.read(response.body))?.object == nil {
            throw .unsupported(route)
        }
        throw .refused(HostRefusal(route: route, response: response))
    }

    /// A success read as JSON and decoded.
    static func decode<Value>(
        _ response: TransportResponse, _ route: Route,
        _ decode: (JSON) throws(ShapeError) -> Value
    ) throws(FmsgError) -> Value {
        let value: JSON
        do {
            value = try JSON.read(response.body)
        } catch {
            throw .malformedAnswer(route, reason: malformation(error, response))
        }
        do {
            return try decode(value)
        } catch {
            throw .malformedAnswer(route, reason: error.reason)
        }
    }

    private static func malformation(_ error: JSONError, _ response: TransportResponse) -> String {
        let start = String(decoding: response.body.prefix(400), as: UTF8.self)
        let preview = SafeText.line(start, limit: 80)
        return preview.isEmpty
            ? "it is empty" : "it is not JSON (\(error.reason)): \(preview)"
    }
}

/// Who a client acts as.
public struct Identity: Sendable, Equatable {
    public let address: String
    /// The address that it acts for; nil when it acts for itself.
    public let owner: String?
    /// When the token at hand ends, in POSIX seconds by this machine's clock.
    public let tokenExpiresAt: Double?
}

/// The time, and how to let it pass; a value, so that tests need no patience.
public struct FmsgClock: Sendable {
    /// POSIX seconds.
    public var now: @Sendable () -> Double
    /// Seconds of a clock that never goes back.
    public var uptime: @Sendable () -> Double
    /// Waits that many seconds, or throws when the task is cancelled.
    public var sleep: @Sendable (Double) async throws -> Void

    public init(
        now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
    }
}

/// The most bytes that are taken in for an answer of each kind: far above what an honest host
/// sends, and low enough that a hostile one cannot exhaust memory.
enum ResponseLimit {
    static let object = 4 << 20
    static let list = 16 << 20
    static let body = 64 << 20
    /// A lineage holds up to 32 MiB of text, which JSON may write sixfold.
    static let lineage = 200 << 20
}
