import FmsgCore
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct SubAccountTests {
    private static let now = 1_796_000_000.0
    private static let later = "2099-01-01T00:00:00Z"

    /// Alice with the token of an identity provider.
    private func owner(_ host: TestHost, _ name: String = "alice") throws -> WireClient {
        let client = try WireClient(host, name)
        client.token = try host.ownerToken(name)
        return client
    }

    private func input(
        _ agent: String, _ cidrs: [String] = ["127.0.0.0/8"], _ expiresAt: String = later
    ) -> JSONObject {
        [
            Field.agent: .string(agent), Field.allowedCIDRs: .strings(cidrs),
            Field.keyExpiresAt: .string(expiresAt),
        ]
    }

    private func create(
        _ owner: WireClient, _ agent: String, _ cidrs: [String] = ["127.0.0.0/8"],
        _ expiresAt: String = later
    ) throws -> TransportResponse {
        try owner.request("POST", "/fmsg/sub-accounts", json: input(agent, cidrs, expiresAt))
    }

    private func bot(_ host: TestHost, _ key: String) throws -> WireClient {
        try WireClient(host, "alice_bot", key: key)
    }

    @Test func aSubAccountLivesAsCaptured() throws {
        let host = try TestHost()
        let alice = try owner(host)
        let created = try create(alice, "bot")
        expectLikeCapture("sub-create-ok", created)
        #expect(created.json?[Field.address]?.string == "@alice_bot@example.com")
        let key = try #require(created.json?[Field.apiKey]?.string)
        let bot = try bot(host, key)
        expectLikeCapture("sub-use", try bot.request("GET", "/fmsg"))
        expectLikeCapture("sub-list", try alice.request("GET", "/fmsg/sub-accounts"))
        expectLikeCapture("sub-get", try alice.request("GET", "/fmsg/sub-accounts/bot"))
        let networks: JSONObject = [Field.allowedCIDRs: .strings(["127.0.0.0/8", "10.0.0.0/8"])]
        expectLikeCapture(
            "sub-patch", try alice.request("PATCH", "/fmsg/sub-accounts/bot", json: networks))

        let expiry: JSONObject = [Field.keyExpiresAt: .string(Self.later)]
        let rotated = try alice.request("POST", "/fmsg/sub-accounts/bot/rotate-key", json: expiry)
        expectLikeCapture("sub-rotate", rotated)
        expectLikeCapture(
            "sub-old-key-after-rotate",
            try bot.request("POST", "/fmsg/token", authorization: "Bearer \(key)"))
        expectLikeCapture("auth-garbage", try bot.request("GET", "/fmsg"))
        let next = try self.bot(host, try #require(rotated.json?[Field.apiKey]?.string))
        #expect(try next.request("GET", "/fmsg").status == 200)

        let path = "/fmsg/sub-accounts/bot"
        expectLikeCapture("sub-delete", try alice.request("DELETE", path))
        expectLikeCapture("sub-delete-missing", try alice.request("DELETE", path))
        expectLikeCapture("auth-garbage", try next.request("GET", "/fmsg"))
        #expect(try alice.send(to: ["@alice_bot@example.com"]) > 0)
    }

    @Test func whatIsWrongIsRefusedAsCaptured() throws {
        let host = try TestHost { $0.clock = { Self.now } }
        let alice = try owner(host)
        for agent in ["a_b", "", "a..b", ".a", "a@b", String(repeating: "a", count: 65)] {
            expectLikeCapture("sub-create-bad-agent", try create(alice, agent))
        }
        for expiry in ["2020-01-01T00:00:00Z", "", "2099-01-01", "soon"] {
            let answer = try create(alice, "b", ["127.0.0.1/32"], expiry)
            expectLikeCapture("sub-create-bad-expiry", answer)
        }
        for cidrs in [[], ["127.0.0.1"], ["10.0.0.0/33"], ["10.0.0/8"], ["::/0", "x"]] {
            #expect(try create(alice, "b", cidrs).status == 400, "\(cidrs)")
        }
        let missing = "/fmsg/sub-accounts/none"
        let expiry: JSONObject = [Field.keyExpiresAt: .string(Self.later)]
        expectLikeCapture("sub-get-missing", try alice.request("GET", missing))
        expectLikeCapture("sub-get-bad-agent", try alice.request("GET", "/fmsg/sub-accounts/a_b"))
        expectLikeCapture(
            "sub-rotate-missing", try alice.request("POST", missing + "/rotate-key", json: expiry))
        #expect(try create(alice, "bot").status == 201)
        expectLikeCapture(
            "sub-rotate-no-expiry",
            try alice.request("POST", "/fmsg/sub-accounts/bot/rotate-key", json: [:]))
        #expect(try create(alice, "BOT").status == 409)
        for body in ["", "{", "[]", #"{"agent":1}"#] {
            let answer = try alice.request("POST", "/fmsg/sub-accounts", Array(body.utf8))
            #expect(answer.status == 400, "\(body)")
        }
    }

    @Test func thereAreFive() throws {
        let host = try TestHost()
        let alice = try owner(host)
        for number in 1...5 { #expect(try create(alice, "b\(number)").status == 201) }
        expectLikeCapture("sub-create-limit-5", try create(alice, "b6"))
        #expect(try create(try owner(host, "bob"), "b1").status == 201, "each owner has their own")
        let list = try alice.request("GET", "/fmsg/sub-accounts").json
        #expect(list?[Field.subAccounts]?.array?.count == 5)
    }

    @Test func onlyTheOwnerMaySeeToThem() throws {
        let host = try TestHost()
        let alice = try owner(host)
        let key = try #require(try create(alice, "bot").json?[Field.apiKey]?.string)
        for client in [try WireClient(host, "alice"), try bot(host, key)] {
            expectLikeCapture(
                "sub-list-api-token", try client.request("GET", "/fmsg/sub-accounts"))
            #expect(try client.request("DELETE", "/fmsg/sub-accounts/bot").status == 403)
        }
        let acting = [Header(HeaderName.actAs, "@alice_bot@example.com")]
        expectLikeCapture(
            "sub-list-actas", try alice.request("GET", "/fmsg/sub-accounts", headers: acting))
        let bob = try owner(host, "bob")
        #expect(try bob.request("GET", "/fmsg/sub-accounts/bot").status == 404)
    }

    @Test func anOwnerActsAsItsSubAccount() throws {
        let host = try TestHost()
        let alice = try owner(host)
        _ = try create(alice, "bot")
        func list(_ address: String, _ client: WireClient) throws -> TransportResponse {
            try client.request(
                "GET", "/fmsg?limit=1", headers: [Header(HeaderName.actAs, address)])
        }
        _ = try WireClient(host, "bob").send(to: ["@alice_bot@example.com"])
        #expect(try list("@Alice_Bot@example.com", alice).text.contains(#""from":"@bob"#))
        expectLikeCapture("actas-idp-self-delegation", try list("@alice@example.com", alice))
        expectLikeCapture("actas-idp-bad-address", try list("nonsense", alice))
        expectLikeCapture("actas-idp-not-granted", try list("@bob@example.com", alice))
        expectLikeCapture("actas-idp-not-granted", try list("@nobody@example.com", alice))
        expectLikeCapture(
            "actas-idp-not-granted", try list("@alice_bot@example.com", try owner(host, "bob")))
        let byKey = try WireClient(host, "alice")
        #expect(try list("@alice_bot@example.com", byKey).status == 403)
    }

    @Test func aKeyIsGoodFromItsNetworksAlone() throws {
        let host = try TestHost()
        let alice = try owner(host)
        let created = try create(alice, "bot", ["10.0.0.0/8", "::1/128"])
        let key = try #require(created.json?[Field.apiKey]?.string)
        let client = try WireClient(host, "alice")
        func exchange() throws -> TransportResponse {
            try client.request("POST", "/fmsg/token", authorization: "Bearer \(key)")
        }
        expectLikeCapture("token-cidr-denied", try exchange())
        func allow(_ cidrs: [String]) throws {
            let body: JSONObject = [Field.allowedCIDRs: .strings(cidrs)]
            let answer = try alice.request("PATCH", "/fmsg/sub-accounts/bot", json: body)
            #expect(answer.status == 200)
        }
        try allow(["127.0.0.1/32"])
        #expect(try exchange().status == 200)
        let bot = try bot(host, key)
        #expect(try bot.request("GET", "/fmsg").status == 200)
        try allow(["192.0.2.0/24"])
        expectLikeCapture("token-cidr-denied", try bot.request("GET", "/fmsg"))
    }

    @Test func aKeyEndsWhenItSays() throws {
        let clock = TestClock(Self.now)
        let host = try TestHost { $0.clock = { clock.now } }
        let alice = try owner(host)
        let ending = Timestamp.rfc3339(Self.now + 60)
        let created = try create(alice, "bot", ["127.0.0.0/8"], ending)
        let key = try #require(created.json?[Field.apiKey]?.string)
        let bot = try bot(host, key)
        let answer = try bot.request("POST", "/fmsg/token", authorization: "Bearer \(key)")
        #expect(answer.json?[Field.expiresIn]?.double == 60)
        #expect(try bot.request("GET", "/fmsg").status == 200)
        clock.now = Self.now + 60
        #expect(try bot.request("GET", "/fmsg").status == 401)
        let late = try bot.request("POST", "/fmsg/token", authorization: "Bearer \(key)")
        #expect(late.status == 401 && late.text.contains("expired"))
    }

    @Test func anOwnersTokenIsForItsUserAlone() throws {
        let host = try TestHost()
        #expect(throws: HostError.self) {
            try host.host.ownerToken(for: "@nobody@example.com", lifetime: 60)
        }
        #expect(throws: HostError.self) { try host.host.ownerToken(for: "alice", lifetime: 60) }
        _ = try create(try owner(host), "bot")
        #expect(throws: HostError.self) {
            try host.host.ownerToken(for: "@alice_bot@example.com", lifetime: 60)
        }
        let other = try TestHost(users: ["dave"])
        let dave = try owner(other, "dave")
        let stranger = try WireClient(host, "alice")
        stranger.token = dave.token
        expectLikeCapture("auth-garbage", try stranger.request("GET", "/fmsg"))
    }

    @Test func anOldDataFolderIsBroughtUpToDate() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let configuration = HostConfiguration(dataFolder: folder.path, domain: "example.com")
        do {
            let host = try EmbeddedHost(configuration)
            _ = try host.addUser("@alice@example.com")
        }
        let database = try Database(path: folder.path + "/fmsg.db")
        try database.runScript("DROP TABLE sub_account; PRAGMA user_version = 1")
        let host = try EmbeddedHost(configuration)
        #expect(try host.users().map(\.address) == ["@alice@example.com"])
        #expect(try database.rows("SELECT * FROM sub_account") { $0.text(0) }.isEmpty)
        try database.runScript("PRAGMA user_version = 99")
        #expect(throws: HostError.self) { try EmbeddedHost(configuration) }
    }
}
