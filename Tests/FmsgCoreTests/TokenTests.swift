import FmsgCore
import Synchronization
import TestSupport
import Testing

/// Counts exchanges and answers each with another token.
private final class Exchange: Sendable {
    let count = Atomic<Int>(0)
    let lifetime: Double

    init(lifetime: Double = 43200) { self.lifetime = lifetime }

    func source(
        cache: TokenCache = .none, now: @escaping @Sendable () -> Double = { 1000 }
    ) -> TokenSource {
        TokenSource(credential: .apiKey("fmsgk_k1_secret"), cache: cache, clock: now) {
            [self] (_) throws(FmsgError) in
            let number = count.add(1, ordering: .relaxed).newValue
            await Task.yield()
            return TokenGrant(accessToken: TokenTests.jwt(number: number), expiresIn: lifetime)
        }
    }
}

@Suite struct TokenTests {
    static func jwt(number: Int) -> String {
        TestToken.jwt(#"{"sub":"@a@b","owner":"@o@b","api_key_id":"k1","n":\#(number)}"#)
    }

    @Test func oneExchangeServesAllWhoAskAtOnce() async throws {
        let exchange = Exchange()
        let source = exchange.source()
        try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<20 { group.addTask { try await source.token() } }
            for try await token in group { #expect(token.owner == "@o@b") }
        }
        #expect(exchange.count.load(ordering: .relaxed) == 1)
    }

    @Test func aRefusedTokenIsExchangedOnceForAllWhoHeldIt() async throws {
        let exchange = Exchange()
        let source = exchange.source()
        let first = try await source.token()
        async let a = source.replacement(for: first)
        async let b = source.replacement(for: first)
        let tokens = try await [a?.token, b?.token]
        #expect(tokens[0] == tokens[1] && tokens[0] != first.token)
        #expect(exchange.count.load(ordering: .relaxed) == 2)
    }

    @Test func aCachedTokenSparesTheExchange() async throws {
        let cached = try AccessToken(token: Self.jwt(number: 9), receivedAt: 900, lifetime: 43200)
        let exchange = Exchange()
        let source = exchange.source(cache: TokenCache(load: { cached }, save: { _ in }))
        #expect(try await source.token() == cached)
        #expect(exchange.count.load(ordering: .relaxed) == 0)
    }

    @Test func aCachedTokenOfAnotherKeyIsNotUsed() async throws {
        let other = TestToken.jwt(#"{"sub":"@a@b","api_key_id":"other"}"#)
        let cached = try AccessToken(token: other, receivedAt: 900, lifetime: 43200)
        let exchange = Exchange()
        let source = exchange.source(cache: TokenCache(load: { cached }, save: { _ in }))
        #expect(try await source.token().keyId == "k1")
    }

    @Test func whatWasExchangedIsSaved() async throws {
        let saved = Mutex<[String]>([])
        let exchange = Exchange()
        let source = exchange.source(
            cache: TokenCache(
                load: { nil }, save: { token in saved.withLock { $0.append(token.token) } }))
        let token = try await source.token()
        #expect(saved.withLock { $0 } == [token.token])
    }

    @Test func aTokenIsRefreshedFiveMinutesEarly() async throws {
        let now = Mutex(1000.0)
        let exchange = Exchange(lifetime: 3600)
        let source = exchange.source(now: { now.withLock { $0 } })
        _ = try await source.token()
        now.withLock { $0 = 1000 + 3600 - 301 }
        _ = try await source.token()
        #expect(exchange.count.load(ordering: .relaxed) == 1)
        now.withLock { $0 = 1000 + 3600 - 299 }
        _ = try await source.token()
        #expect(exchange.count.load(ordering: .relaxed) == 2)
    }

    @Test func aShortLivedTokenIsRefreshedAtHalfItsLife() throws {
        let token = try AccessToken(token: Self.jwt(number: 1), receivedAt: 1000, lifetime: 3)
        #expect(!token.isDue(at: 1001.4) && token.isDue(at: 1001.6))
    }

    /// However wrong the clock is: the span counts, and a clock set back far makes it due.
    @Test func aTokenOutlivesAWrongClock() throws {
        let token = try AccessToken(
            token: TestToken.jwt(#"{"sub":"@a@b","exp":500}"#), receivedAt: 8200, lifetime: 43200)
        #expect(!token.isDue(at: 8300))
        #expect(token.isDue(at: 1000))
    }

    @Test(arguments: [
        (#"{"fmsg_address":"@x@y","sub":"auth0|1"}"#, "@x@y"),
        (#"{"https://fmsg.example/fmsg_address":"@x@y","sub":"@z@y"}"#, "@x@y"),
        (#"{"sub":"@z@y"}"#, "@z@y"),
    ])
    func theAddressIsFoundInItsClaim(_ claims: String, _ address: String) throws {
        let token = try AccessToken(token: TestToken.jwt(claims), receivedAt: 0, lifetime: nil)
        #expect(token.address == address)
    }

    @Test(arguments: [
        "", "a.b", "a.b.c", "....", "a.!!!.c", TestToken.jwt("[]"), TestToken.jwt(#"{"sub":"x"}"#),
    ])
    func whatIsNoTokenIsRefused(_ text: String) {
        #expect(throws: FmsgError.self) {
            try AccessToken(token: text, receivedAt: 0, lifetime: nil)
        }
    }

    @Test func aTokenThatCannotBeExchangedIsUsedAsItIs() async throws {
        let source = TokenSource(
            credential: .token(Self.jwt(number: 1)), cache: .none, clock: { 1e12 },
            exchange: { (_) throws(FmsgError) in throw .cancelled })
        let token = try await source.token()
        #expect(try await source.replacement(for: token) == nil)
    }
}
