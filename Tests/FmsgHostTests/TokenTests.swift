import FmsgCore
import Synchronization
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct TokenTests {
    private static let now = 1_796_000_000.0

    private func claims(_ token: String) throws -> JSONObject? {
        let parts = token.split(separator: ".")
        let bytes = try #require(Base64.decodeURL(parts[1]))
        return try JSON.read(bytes).object
    }

    @Test func aKeyGivesAToken() throws {
        let host = try TestHost {
            $0.clock = { Self.now }
            $0.tokenLifetime = 3
        }
        let key = try host.host.addUser("@Alice_bot@example.com", owner: "@alice@example.com")
        let client = try WireClient(host, "bot", key: key)
        let answer = try client.request(
            "POST", "/fmsg/token", authorization: "Bearer \(key)")
        expectLikeCapture("token-ok", answer)
        #expect(answer.json?[Field.expiresIn]?.int64 == 3)
        #expect(answer.json?[Field.expiresAt]?.string == Timestamp.rfc3339(Self.now + 3))
        let claims = try #require(try claims(client.token))
        #expect(claims["sub"]?.string == "@Alice_bot@example.com")
        #expect(claims["owner"]?.string == "@alice@example.com")
        #expect(claims["iss"]?.string == "fmsg-webapi")
        #expect(claims["exp"]?.int64 == Int64(Self.now) + 3)
        #expect(claims["iat"]?.int64 == Int64(Self.now))
        #expect(key.hasPrefix("fmsgk_\(claims["api_key_id"]?.string ?? "-")_"))
        #expect(try client.request("GET", "/fmsg").status == 200)
    }

    @Test func keysAreRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        func exchange(_ authorization: String) throws -> TransportResponse {
            try alice.request("POST", "/fmsg/token", authorization: authorization)
        }
        let key = host.key("alice")
        expectLikeCapture("token-no-header", try exchange(""))
        expectLikeCapture("token-basic-scheme", try exchange("Basic \(key)"))
        expectLikeCapture("token-basic-scheme", try exchange("bearer \(key)"))
        expectLikeCapture("token-garbage-key", try exchange("Bearer garbage"))
        expectLikeCapture("token-unknown-key", try exchange("Bearer fmsgk_AAAAAAAAAAAAAAAA_x"))
        expectLikeCapture("token-unknown-key", try exchange("Bearer \(key)x"))
        expectLikeCapture("token-unknown-key", try exchange("Bearer \(key.dropLast())"))
        expectLikeCapture("token-unknown-key", try exchange("Bearer fmsgk_' OR 1=1 --_x"))
        #expect(try exchange("Bearer \(key)").status == 200)
    }

    @Test func requestsWithoutAGoodTokenAreRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        func list(_ authorization: String) throws -> TransportResponse {
            try alice.request("GET", "/fmsg", authorization: authorization)
        }
        let good = alice.token
        let parts = good.split(separator: ".")
        let none = Base64.encodeURL(Array("{\"alg\":\"none\",\"typ\":\"JWT\"}".utf8))
        expectLikeCapture("auth-none", try list(""))
        expectLikeCapture("auth-basic", try list("Basic \(good)"))
        expectLikeCapture("auth-garbage", try list("Bearer garbage"))
        expectLikeCapture("auth-alg-none", try list("Bearer \(none).\(parts[1])."))
        expectLikeCapture("auth-alg-none", try list("Bearer \(none).\(parts[1]).\(parts[2])"))
        expectLikeCapture("auth-garbage", try list("Bearer \(parts[0]).\(parts[1]).\(parts[0])"))
        expectLikeCapture("auth-api-key-instead-of-jwt", try list("Bearer \(host.key("alice"))"))
        let key = "Bearer \(host.key("alice"))"
        expectLikeCapture(
            "token-get-method", try alice.request("GET", "/fmsg/token", authorization: key))
        #expect(try list("Bearer \(good)").status == 200)
    }

    @Test func aTokenEndsTenSecondsAfterItSays() throws {
        let clock = TestClock(Self.now)
        let host = try TestHost {
            $0.clock = { clock.now }
            $0.tokenLifetime = 60
        }
        let alice = try WireClient(host, "alice")
        func status(at time: Double) throws -> Int {
            clock.now = time
            return try alice.request("GET", "/fmsg").status
        }
        #expect(try status(at: Self.now + 69) == 200)
        #expect(try status(at: Self.now + 70) == 401)
        #expect(try status(at: Self.now - 10) == 200)
        #expect(try status(at: Self.now - 11) == 401)
    }

    @Test func anotherHostsTokenIsForged() throws {
        let (host, other) = (try TestHost(), try TestHost())
        let alice = try WireClient(host, "alice")
        let token = try WireClient(other, "alice").token
        let answer = try alice.request("GET", "/fmsg", authorization: "Bearer \(token)")
        expectLikeCapture("auth-garbage", answer)
    }

    @Test func aRevokedKeyEndsItsTokensAtOnce() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try #require(
            try host.host.users().first { $0.address == alice.address }?.keyIds[0])
        try host.host.revokeKey(id)
        expectLikeCapture("auth-revoked-key", try alice.request("GET", "/fmsg"))
        let exchange = try alice.request(
            "POST", "/fmsg/token", authorization: "Bearer \(host.key("alice"))")
        expectLikeCapture("auth-revoked-key", exchange)
        let next = try host.host.addUser(alice.address)
        #expect(try WireClient(host, "alice", key: next).list().isEmpty)
        #expect(throws: HostError(.notFound, "there is no key with the id x")) {
            try host.host.revokeKey("x")
        }
    }

    @Test func onlyTheDigestOfAKeyIsKept() throws {
        let host = try TestHost()
        let secret = try #require(host.key("alice").split(separator: "_").last)
        let folder = host.dataFolder
        host.host.stop()
        for name in Files.names(in: folder) where name != "attachments" {
            let content = Files.read("\(folder)/\(name)", atMost: 8 << 20) ?? []
            #expect(!String(decoding: content, as: UTF8.self).contains(secret), "\(name)")
        }
    }

    @Test func aKeyMatchesItsOwnDigestAlone() throws {
        let key = APIKey.generate()
        let read = try #require(APIKey(key.text))
        #expect(read.id == key.id)
        #expect(read.matches(key.secretDigest))
        var other = key.secretDigest
        other[31] ^= 1
        #expect(!read.matches(other))
        #expect(!read.matches([]))
        #expect(!APIKey.generate().matches(key.secretDigest))
        for text in ["", "fmsgk_", "fmsgk_a", "fmsgk__b", "fmsgk_a_", "FMSGK_a_b"] {
            #expect(APIKey(text) == nil, "\(text)")
        }
        #expect(APIKey("fmsgk_a+/_b_c")?.text == "fmsgk_a+/_b_c")
    }

    @Test func theSigningKeyIsForTheOwnerAlone() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try SigningKey.load(folder: folder.path)
        let again = try SigningKey.load(folder: folder.path)
        let signature = try #require(key.sign([1, 2, 3]))
        #expect(again.verify(signature, of: [1, 2, 3]))
        #expect(!again.verify(signature, of: [1, 2, 4]))
        #expect(!again.verify([], of: [1, 2, 3]))
        #expect(Files.names(in: folder.path) == ["signing.key"])
        #expect(permissions(folder.path + "/signing.key") == 0o600)
    }

    @Test func base64IsReadAsItIsWritten() {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ length) }
            let text = Base64.encodeURL(bytes)
            #expect(Base64.decodeURL(text) == bytes)
            #expect(Base64.decodeURL(text + "=") == nil)
        }
        #expect(Base64.encode([0xFB, 0xEF]) == "++8=")
        #expect(Base64.encodeURL([0xFB, 0xEF]) == "--8")
        #expect(Base64.decodeURL("--9") == nil, "bits that mean nothing")
        #expect(Base64.decodeURL("A") == nil)
        #expect(Base64.decodeURL("A+AA") == nil)
    }

    @Test func timestampsAreCalendarDates() {
        for (seconds, text) in [
            (0.0, "1970-01-01T00:00:00Z"), (951_782_399.9, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (1_796_005_615.6, "2026-11-30T02:26:55Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        ] {
            #expect(Timestamp.rfc3339(seconds) == text)
        }
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Mutex<Double>

    init(_ now: Double) { time = Mutex(now) }

    var now: Double {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
