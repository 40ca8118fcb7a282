import FmsgCore
import TestSupport
import Testing

@Suite struct July2026Tests {
    private func host(_ users: [String] = ["alice", "bob", "carol", "dave"]) throws -> TestHost {
        try TestHost(users: users) { $0.generation = .july2026 }
    }

    private func expectOld(
        _ name: String, _ answer: TransportResponse,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectLikeCapture(name, answer, file: "2026-07", sourceLocation: sourceLocation)
    }

    @Test func messagesHaveTheOldFieldsAlone() throws {
        let host = try host()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let terminal: JSONObject = [
            Field.topic: .string("Greetings"), Field.terminal: .bool(true),
        ]
        let id = try alice.draft(to: [bob.address], "hello", terminal)
        expectOld("get-draft-owner", try alice.request("GET", "/fmsg/\(id)"))
        expectOld("list-shows-draft-to-recipient", try bob.request("GET", "/fmsg?limit=1"))
        expectOld("send-ok", try alice.request("POST", "/fmsg/\(id)/send"))
        expectOld("get-after-send-unknown-local", try bob.request("GET", "/fmsg/\(id)"))
        let add: JSONObject = [Field.addTo: .strings(["@dave@example.com"])]
        expectOld("addto-ok", try bob.request("POST", "/fmsg/\(id)/add-to", json: add))
        let dave = try WireClient(host, "dave")
        expectOld("list-after-addto-newrecipient", try dave.request("GET", "/fmsg"))
        let reply = try bob.send(to: [alice.address], "re", [Field.pid: .integer(id)])
        #expect(reply > 0, "terminal was dropped without a word")
        expectOld("get-reply", try alice.request("GET", "/fmsg/\(reply)"))
    }

    @Test func newerRoutesAreNotThere() throws {
        let host = try host()
        let alice = try WireClient(host, "alice")
        let id = try alice.send(to: ["@bob@example.com"])
        let emoji: JSONObject = [Field.emoji: .string("👍")]
        expectOld("react-ok", try alice.request("POST", "/fmsg/\(id)/react", json: emoji))
        expectOld("thread-messages-ok", try alice.request("GET", "/fmsg/\(id)/thread/messages"))
        expectOld("thread-ok", try alice.request("GET", "/fmsg/\(id)/thread"))
        let hash = String(repeating: "ab", count: 32)
        #expect(try alice.request("GET", "/fmsg/\(hash)").status == 400)
    }

    @Test func parentsAreTakenAsThen() throws {
        let host = try host()
        let alice = try WireClient(host, "alice")
        let carol = try WireClient(host, "carol")
        func create(_ author: WireClient, _ more: JSONObject) throws -> TransportResponse {
            let body = author.draftBody(to: [alice.address], "re", more)
            return try author.request("POST", "/fmsg", json: body)
        }
        expectOld("create-pid-zero", try create(alice, [Field.pid: .integer(0)]))
        expectOld(
            "create-from-case", try create(alice, [Field.from: .string("@Alice@example.com")]))
        let id = try alice.send(to: ["@bob@example.com"])
        expectOld("reply-pid-not-participant", try create(carol, [Field.pid: .integer(id)]))
        let both: JSONObject = [Field.pid: .integer(id), Field.topic: .string("T")]
        expectOld("create-topic-and-pid", try create(alice, both))
        let hash = String(repeating: "ab", count: 32)
        #expect(try create(alice, [Field.pid: .string(hash)]).status == 400)
        let draft = try alice.draft(to: ["@bob@example.com"])
        expectOld("create-topic-256", try create(alice, [Field.pid: .integer(draft)]))
    }

    @Test func draftsAreSentAndReadAsThen() throws {
        let host = try host()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let incomplete = try alice.draft(to: [], "x", [Field.type: .null])
        #expect(try alice.request("POST", "/fmsg/\(incomplete)/send").status == 200)
        let draft = try alice.draft(to: [bob.address])
        #expect(try bob.request("POST", "/fmsg/\(draft)/read").status == 200)
        #expect(try alice.request("POST", "/fmsg/\(draft)/send").status == 200)
        #expect(try bob.list().first?[Field.read]?.bool == true, "it arrives as read")
        let added = try alice.draft(to: [bob.address])
        let add: JSONObject = [Field.addTo: .strings(["@carol@example.com"])]
        #expect(try alice.request("POST", "/fmsg/\(added)/add-to", json: add).status == 200)
        expectOld("delete-draft-with-addto", try alice.request("DELETE", "/fmsg/\(added)"))
    }
}
