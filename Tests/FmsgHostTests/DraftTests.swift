import FmsgCore
import TestSupport
import Testing

@Suite struct DraftTests {
    @Test func createAnswersAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = TestHost.address("bob")
        func create(_ changes: JSONObject) throws -> TransportResponse {
            let more: JSONObject = [Field.topic: .string("Greetings")]
            var body = alice.draftBody(to: [bob], "hello", more)
            for field in changes.fields { body[field.key] = field.value }
            return try alice.request("POST", "/fmsg", json: body)
        }
        expectLikeCapture("create-ok", try create([:]))
        expectLikeCapture(
            "create-from-case", try create([Field.from: .string("@Alice@EXAMPLE.com")]))
        expectLikeCapture("create-from-mismatch", try create([Field.from: .string(bob)]))
        expectLikeCapture("create-from-missing", try create([Field.from: .null]))
        expectLikeCapture("create-to-invalid", try create([Field.to: .strings(["bob"])]))
        expectLikeCapture("create-to-string", try create([Field.to: .string(bob)]))
        expectLikeCapture("create-wrong-type", try create([Field.version: .string("1")]))
        expectLikeCapture("create-size-negative", try create([Field.size: .integer(-1)]))
        expectLikeCapture("create-empty-data", try create([Field.data: .string("")]))
        let topic = String(repeating: "t", count: 256)
        expectLikeCapture("create-topic-256", try create([Field.topic: .string(topic)]))
        expectLikeCapture("create-topic-nul", try create([Field.topic: .string("a\0b")]))
        expectLikeCapture("create-pid-zero", try create([Field.pid: .integer(0)]))
        expectLikeCapture("create-pid-bad-string", try create([Field.pid: .string("abc")]))
        let unknown = String(repeating: "cd", count: 32)
        expectLikeCapture("create-pid-sha256-unknown", try create([Field.pid: .string(unknown)]))
        expectLikeCapture("create-empty-body", try alice.request("POST", "/fmsg"))
        expectLikeCapture(
            "create-bad-json", try alice.request("POST", "/fmsg", Array("{\"version\":1,".utf8)))
        let list = try alice.request("POST", "/fmsg", Array("[]".utf8))
        #expect(list.status == 400)
    }

    @Test func unusedFieldsAreIgnored() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let carol = TestHost.address("carol")
        let id = try alice.draft(
            to: [TestHost.address("bob")], "hello",
            [
                Field.addTo: .strings([carol]), "foo": .integer(1), Field.id: .integer(77),
                Field.time: .double(1.5), Field.size: .integer(99_999),
                Field.topic: .string("Greetings"),
            ])
        let answer = try alice.request("GET", "/fmsg/\(id)")
        expectLikeCapture("get-create-extra-and-addto", answer)
        #expect(id == 1)
        #expect(answer.json?[Field.size]?.int64 == 5)
        #expect(answer.json?[Field.addTo]?.isNull == true)
        #expect(answer.json?[Field.time]?.isNull == true)
    }

    @Test func spellingsOfOneAddressAreKept() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: ["@bob@example.com", "@bob@example.com", "@Bob@example.com"])
        let message = try alice.message(id)
        #expect(message?[Field.to] == .strings(["@bob@example.com", "@Bob@example.com"]))
        #expect(try bob.list().count == 1)
    }

    @Test func replacingWipesWhatIsLeftOut() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = TestHost.address("bob")
        let id = try alice.draft(
            to: [bob], "hello",
            [Field.topic: .string("T1"), Field.important: .bool(true), Field.noReply: .bool(true)])
        try alice.attach(id, "a.txt", Array("one".utf8))
        let body = alice.draftBody(
            to: [bob, TestHost.address("carol")], "hello again", [Field.topic: .string("T2")])
        expectLikeCapture("update-ok", try alice.request("PUT", "/fmsg/\(id)", json: body))
        let answer = try alice.request("GET", "/fmsg/\(id)")
        expectLikeCapture("get-after-update", answer)
        let message = try #require(answer.json)
        #expect(message[Field.topic]?.string == "T2")
        #expect(message[Field.shortText]?.string == "hello again")
        #expect(message[Field.important]?.bool == false)
        #expect(message[Field.noReply]?.bool == false)
        #expect(message[Field.to]?.array?.count == 2)
        #expect(message[Field.attachments]?.array?.count == 1)
        #expect(try alice.request("GET", "/fmsg/\(id)/data").text == "hello again")
    }

    @Test func replacingIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let body = alice.draftBody(to: [bob.address])
        expectLikeCapture("update-bad-id", try alice.request("PUT", "/fmsg/abc", json: body))
        expectLikeCapture("update-not-found", try alice.request("PUT", "/fmsg/999999", json: body))
        let draft = try alice.draft(to: [bob.address])
        let topic: JSONObject = [Field.topic: .string("x")]
        expectLikeCapture("update-no-from", try alice.request("PUT", "/fmsg/\(draft)", json: topic))
        let empty = alice.draftBody(to: [])
        expectLikeCapture(
            "update-empty-to", try alice.request("PUT", "/fmsg/\(draft)", json: empty))
        let sent = try alice.send(to: [bob.address])
        #expect(try alice.request("PUT", "/fmsg/\(sent)", json: body).status == 403)
        let other = bob.draftBody(to: [alice.address])
        #expect(try bob.request("PUT", "/fmsg/\(draft)", json: other).status == 403)
    }

    @Test func deletingIsForDraftsOfOnesOwn() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let draft = try alice.draft(to: [bob.address])
        #expect(try bob.request("DELETE", "/fmsg/\(draft)").status == 403)
        expectLikeCapture("delete-ok", try alice.request("DELETE", "/fmsg/\(draft)"))
        expectLikeCapture("get-not-found", try alice.request("GET", "/fmsg/\(draft)"))
        expectLikeCapture("delete-not-found", try alice.request("DELETE", "/fmsg/\(draft)"))
        let sent = try alice.send(to: [bob.address])
        expectLikeCapture("delete-sent", try alice.request("DELETE", "/fmsg/\(sent)"))
        #expect(sent > draft, "an id is not given twice")
    }

    @Test func tooLargeABodyIsRefused() throws {
        let host = try TestHost { $0.limits.body = 1000 }
        let alice = try WireClient(host, "alice")
        let bob = TestHost.address("bob")
        let fits = String(repeating: "\u{1}", count: 1000)
        #expect(try alice.draft(to: [bob], fits) > 0)
        func create(_ size: Int) throws -> TransportResponse {
            let text = String(repeating: "x", count: size)
            return try alice.request("POST", "/fmsg", json: alice.draftBody(to: [bob], text))
        }
        expectLikeCapture("create-oversize", try create(1001))
        // More than is ever parsed, and still answered on the same connection.
        expectLikeCapture("create-oversize", try create(1 << 20))
        #expect(try alice.list().isEmpty)
    }

    @Test func aHugeBodyIsRefusedUnread() throws {
        let host = try TestHost { $0.limits.body = 1000 }
        let alice = try WireClient(host, "alice")
        let connection = try WireConnection(port: host.port)
        let head = """
            POST /fmsg HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(alice.token)\r\n\
            Content-Length: 9000000000\r\n\r\n
            """
        try connection.write(Array(head.utf8))
        expectLikeCapture("create-oversize", try connection.readResponse())
    }

    @Test func textIsStoredAsItIs() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let hostile = "'; DROP TABLE message; -- \" \\ % _ \u{0} \u{1F600} <&>"
        let id = try alice.draft(
            to: [TestHost.address("bob")], hostile, [Field.topic: .string("x'); DELETE --")])
        #expect(try alice.request("GET", "/fmsg/\(id)/data").body == Array(hostile.utf8))
        let answer = try alice.request("GET", "/fmsg/\(id)")
        #expect(answer.json?[Field.topic]?.string == "x'); DELETE --")
        #expect(answer.json?[Field.shortText]?.string == hostile)
        #expect(answer.text.contains("\\u003c\\u0026\\u003e"))
        #expect(try alice.request("GET", "/fmsg/1'%20OR%201=1").status == 400)
        #expect(try alice.request("GET", "/fmsg?limit=1%20OR%201=1").status == 400)
    }
}
