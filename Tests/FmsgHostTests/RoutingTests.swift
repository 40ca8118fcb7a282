import FmsgCore
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct RoutingTests {
    @Test func whatLeadsNowhereIsAPlain404() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        expectLikeCapture(
            "route-unknown-noauth", try alice.request("GET", "/nope", authorization: ""))
        expectLikeCapture("route-unknown", try alice.request("GET", "/fmsg/1/nope"))
        expectLikeCapture("method-not-allowed", try alice.request("PATCH", "/fmsg"))
        expectLikeCapture("push-disabled", try alice.request("POST", "/fmsg/push/subscribe"))
        #expect(try alice.request("GET", "/").status == 404)
        #expect(try alice.request("GET", "//fmsg").status == 404)
        #expect(try alice.request("GET", "/fmsg/%zz").status == 404)
    }

    @Test func aTrailingSlashRedirects() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let read = try alice.request("GET", "/fmsg/")
        expectLikeCapture("list-trailing-slash", read)
        #expect(read.header("Location") == "/fmsg")
        let write = try alice.request("POST", "/fmsg/1/send/")
        #expect(write.status == 307)
        #expect(write.header("Location") == "/fmsg/1/send")
        #expect(try alice.request("GET", "/nope/").status == 404)
        #expect(try alice.request("GET", "/fmsg//").status == 404)
    }

    @Test func eachRequestIsReportedOnce() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        host.requests.clear()
        let id = try alice.send(to: ["@bob@example.com"])
        _ = try alice.request("GET", "/fmsg/sent?limit=1")
        #expect(
            host.requests.all == ["POST /fmsg", "POST /fmsg/\(id)/send", "GET /fmsg/sent"])
    }

    @Test func malformedRequestsHarmNobody() throws {
        let host = try TestHost()
        for bytes in [
            "\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        ] {
            let connection = try WireConnection(port: host.port)
            try connection.write(Array(bytes.utf8))
        }
        let long = try WireConnection(port: host.port)
        let target = String(repeating: "a", count: 1 << 20)
        try? long.write(Array("GET /\(target) HTTP/1.1\r\n\r\n".utf8))
        #expect((try? long.readResponse())?.status ?? 414 == 414)
        #expect(try WireClient(host, "alice").list().isEmpty)
    }

    @Test func usersAreOfTheDomain() throws {
        let host = try TestHost()
        #expect(throws: HostError.self) { try host.host.addUser("@x@other.test") }
        #expect(throws: HostError.self) { try host.host.addUser("bob") }
        #expect(throws: HostError.self) { try host.host.addUser("@x@example.com", owner: "y") }
        #expect(throws: HostError.self) {
            try host.host.addUser("@alice@example.com", owner: "@bob@example.com")
        }
        #expect(try host.host.addUser("@ALICE@EXAMPLE.COM").hasPrefix("fmsgk_"))
        let users = try host.host.users()
        #expect(users.map(\.address) == ["alice", "bob", "carol"].map(TestHost.address))
        #expect(users.map(\.keyIds.count) == [2, 1, 1])
        #expect(users.allSatisfy { $0.owner == $0.address })
    }

    @Test func aPortThatIsTakenIsAnError() throws {
        let host = try TestHost()
        let port = host.port
        let error = #expect(throws: HostError.self) { try TestHost { $0.port = port } }
        #expect(error?.kind == .listen)
        let nowhere = #expect(throws: HostError.self) { try TestHost { $0.address = "nowhere" } }
        #expect(nowhere?.kind == .listen)
    }

    @Test func versionSixAddressesAreServed() throws {
        let host = try TestHost { $0.address = "::1" }
        #expect(host.url.hasPrefix("http://[::1]:"))
        #expect(host.port > 0)
    }
}
