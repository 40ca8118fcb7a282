/// What a client proves its identity with.
public enum Credential: Sendable, Equatable {
    /// A key `fmsgk_<key id>_<secret>`, to be exchanged for tokens.
    case apiKey(String)
    /// A JWT of the deployment's identity provider, used as it is.
    case token(String)

    /// The id inside an API key, which is no secret.
    var keyId: String? {
        guard case .apiKey(let key) = self else { return nil }
        let parts = key.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, parts[0] == "fmsgk", let end = parts[1].lastIndex(of: "_") else {
            return nil
        }
        return String(parts[1][..<end])
    }
}

/// Where tokens outlive a process. It never fails: what cannot be read counts as absent, and
/// what cannot be written is the cache's own affair to report.
public struct TokenCache: Sendable {
    public var load: @Sendable () -> AccessToken?
    public var save: @Sendable (AccessToken) -> Void

    public init(
        load: @escaping @Sendable () -> AccessToken?,
        save: @escaping @Sendable (AccessToken) -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// Keeps nothing.
    public static let none = TokenCache(load: { nil }, save: { _ in })
}

/// Gives the token for each request: cached, refreshed five minutes early, exchanged once more
/// when the host refuses it, and never twice at a time (web API, section 3, client rules).
public actor TokenSource {
    private let credential: Credential
    private let cache: TokenCache
    private let clock: @Sendable () -> Double
    private let exchange: @Sendable (String) async throws(FmsgError) -> TokenGrant
    private var current: AccessToken?
    private var hasLoaded = false
    private var underWay: Task<Result<AccessToken, FmsgError>, Never>?

    /// - Parameters:
    ///   - clock: POSIX seconds.
    ///   - exchange: performs `POST /fmsg/token` with the API key.
    public init(
        credential: Credential, cache: TokenCache, clock: @escaping @Sendable () -> Double,
        exchange: @escaping @Sendable (String) async throws(FmsgError) -> TokenGrant
    ) {
        self.credential = credential
        self.cache = cache
        self.clock = clock
        self.exchange = exchange
    }

    /// A token to use now. It makes a request only when there is none that is good.
    /// - Throws: ``FmsgError`` when there is none to be had.
    public func token() async throws(FmsgError) -> AccessToken {
        if !hasLoaded {
            hasLoaded = true
            current = try initialToken()
        }
        if let current, !isDue(current) { return current }
        return try await refreshed()
    }

    /// Seconds until the token at hand should be replaced; nil when there is none, or none that
    /// could take its place.
    public func secondsToReplacement() -> Double? {
        guard case .apiKey = credential, let dueAt = current?.dueAt else { return nil }
        return max(0, dueAt - clock())
    }

    /// A token other than `refused`, which the host answered with 401. For a credential that
    /// cannot be exchanged there is none.
    public func replacement(for refused: AccessToken) async throws(FmsgError) -> AccessToken? {
        guard case .apiKey = credential else { return nil }
        if let current, current.token != refused.token { return current }
        return try await refreshed()
    }

    private func initialToken() throws(FmsgError) -> AccessToken? {
        switch credential {
        case .apiKey:
            let cached = cache.load()
            return cached?.keyId == credential.keyId ? cached : nil
        case .token(let token):
            return try AccessToken(token: token, receivedAt: clock(), lifetime: nil)
        }
    }

    private func isDue(_ token: AccessToken) -> Bool {
        guard case .apiKey = credential else { return false }
        return token.isDue(at: clock())
    }

    private func refreshed() async throws(FmsgError) -> AccessToken {
        guard case .apiKey(let key) = credential else {
            throw .noCredential("there is no token")
        }
        let task = underWay ?? startExchange(of: key)
        underWay = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if underWay == task { underWay = nil }
        // Another caller's cancellation ended the exchange that this one waited for, too.
        if case .failure(let error) = result, error.category == .cancelled, !Task.isCancelled {
            return try await refreshed()
        }
        let token = try result.get()
        // Where it is the same as before, its end is better known now.
        if current != token {
            current = token
            cache.save(token)
        }
        return token
    }

    private func startExchange(of key: String) -> Task<Result<AccessToken, FmsgError>, Never> {
        Task { [exchange, clock] in
            do throws(FmsgError) {
                let grant = try await exchange(key)
                return .success(
                    try AccessToken(
                        token: grant.accessToken, receivedAt: clock(), lifetime: grant.expiresIn))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The answer of `POST /fmsg/token`.
public struct TokenGrant: Sendable, Equatable {
    /// A secret.
    public let accessToken: String
    /// Seconds.
    public let expiresIn: Double?

    public init(accessToken: String, expiresIn: Double?) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
    }

    init(_ fields: FieldReader) throws(ShapeError) {
        let token = try fields.required(Field.accessToken, try fields.string(Field.accessToken))
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ShapeError(Field.accessToken, "a token of printable characters")
        }
        accessToken = token
        expiresIn = try fields.double(Field.expiresIn)
    }
}
