import FmsgCore
import TestSupport
import Testing

@Suite struct SendingTests {
    @Test func aMessageGoesFromDraftToInbox() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.draft(to: [bob.address], "hello", [Field.topic: .string("Greetings")])
        expectLikeCapture("get-draft-owner", try alice.request("GET", "/fmsg/\(id)"))
        let receipt = try alice.request("POST", "/fmsg/\(id)/send")
        expectLikeCapture("send-ok", receipt)
        let answer = try bob.request("GET", "/fmsg/\(id)")
        expectLikeCapture("get-after-send-unknown-local", answer)
        let message = try #require(answer.json)
        #expect(message[Field.time] == receipt.json?[Field.time])
        #expect(message[Field.sha256] == receipt.json?[Field.sha256])
        #expect(message[Field.shortText]?.string == "hello")
        #expect(message[Field.id] == nil)
        #expect(try bob.list().first?[Field.id]?.int64 == id)
        #expect(try bob.list().first?[Field.read]?.bool == false)
        #expect(try alice.list().isEmpty)
    }

    @Test func eachRecipientHasItsDeliveryState() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(
            to: ["@x@remote.test", "@bob@example.com", "@nobody3@example.com"], "hello",
            [Field.topic: .string("Greetings")])
        expectLikeCapture("send-mixed", try alice.request("POST", "/fmsg/\(id)/send"))
        let answer = try alice.request("GET", "/fmsg/\(id)")
        expectLikeCapture("get-after-send-mixed", answer)
        let delivery = (answer.json?[Field.toDelivery]?.array ?? []).compactMap(\.object)
        #expect(delivery.map { $0[Field.responseCode]?.int64 } == [-1, 200, 100])
        #expect(delivery.map { $0[Field.timeDelivered]?.string?.count } == [nil, 20, nil])
    }

    @Test func sendingIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let draft = try alice.draft(to: [bob.address])
        expectLikeCapture("send-not-owner", try bob.request("POST", "/fmsg/\(draft)/send"))
        let untyped = try alice.draft(to: [bob.address], "hello", [Field.type: .null])
        expectLikeCapture(
            "send-incomplete-no-type", try alice.request("POST", "/fmsg/\(untyped)/send"))
        let unaddressed = try alice.draft(to: [])
        expectLikeCapture(
            "send-incomplete-no-to", try alice.request("POST", "/fmsg/\(unaddressed)/send"))
        let sent = try alice.send(to: [bob.address])
        expectLikeCapture("send-twice", try alice.request("POST", "/fmsg/\(sent)/send"))
        #expect(try alice.request("POST", "/fmsg/999/send").status == 404)
    }

    @Test func aReplyKnowsItsParent() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let root = try alice.send(to: [bob.address], "hello", [Field.topic: .string("T")])
        let reply = try bob.send(to: [alice.address], "re", [Field.pid: .integer(root)])
        let answer = try alice.request("GET", "/fmsg/\(reply)")
        expectLikeCapture("get-reply", answer)
        #expect(answer.json?[Field.pid]?.int64 == root)
        let hash = try #require(try alice.message(root)?[Field.sha256])
        #expect(answer.json?[Field.parentSHA256] == hash)
        #expect(try bob.draft(to: [alice.address], "re", [Field.pid: hash]) > 0)
        let topic: JSONObject = [Field.pid: .integer(root), Field.topic: .string("T")]
        let both = bob.draftBody(to: [alice.address], "re", topic)
        #expect(try bob.request("POST", "/fmsg", json: both).status == 400)
    }

    @Test func notEveryMessageTakesAReply() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let carol = try WireClient(host, "carol")
        func reply(_ author: WireClient, _ pid: Int64) throws -> TransportResponse {
            let parent: JSONObject = [Field.pid: .integer(pid)]
            let body = author.draftBody(to: [TestHost.address("alice")], "re", parent)
            return try author.request("POST", "/fmsg", json: body)
        }
        let draft = try alice.draft(to: [bob.address])
        expectLikeCapture("create-topic-and-pid", try reply(bob, draft))
        let terminal = try alice.send(to: [bob.address], "end", [Field.terminal: .bool(true)])
        expectLikeCapture("terminal-reply", try reply(bob, terminal))
        let sent = try alice.send(to: [bob.address])
        expectLikeCapture("reply-pid-not-participant", try reply(carol, sent))
        #expect(try reply(bob, 999).text == "{\"error\":\"parent message not found\"}")
        #expect(try reply(bob, sent).status == 201)
    }

    @Test func aReplyToADomainThatNeverSawTheParentIsBlocked() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let root = try alice.send(to: ["@bob@example.com", "@x@remote.test"])
        let known = try alice.send(to: ["@y@remote.test"], "re", [Field.pid: .integer(root)])
        #expect(known > 0)
        let blocked = try alice.draft(to: ["@x@other.test"], "re", [Field.pid: .integer(root)])
        expectLikeCapture(
            "send-remote-reply-blocked", try alice.request("POST", "/fmsg/\(blocked)/send"))
        #expect(try alice.message(blocked)?[Field.time]?.isNull == true)
    }

    @Test func timesRiseWhateverTheClockDoes() throws {
        let host = try TestHost { $0.clock = { 1_796_000_000 } }
        let alice = try WireClient(host, "alice")
        let times = try (0..<3).map { _ in
            try alice.message(try alice.send(to: ["@bob@example.com"]))?[Field.time]?.double
        }
        #expect(times == times.compactMap { $0 }.sorted())
        #expect(Set(times).count == 3)
    }

    @Test func overlappingSendsMakeOneMessage() async throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try WireClient(host, "alice").request("POST", "/fmsg/\(id)/send").status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 7)
        #expect(try WireClient(host, "bob").list().count == 1)
    }

    @Test func manyAuthorsSendAtOnce() async throws {
        let names = (0..<8).map { "user\($0)" }
        let host = try TestHost(users: names + ["sink"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask {
                    let client = try WireClient(host, name)
                    for number in 0..<10 {
                        let id = try client.send(to: [TestHost.address("sink")], "\(number)")
                        #expect(id > 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        let messages = try WireClient(host, "sink").list("?limit=100")
        #expect(messages.count == 80)
        #expect(Set(messages.compactMap { $0[Field.sha256]?.string }).count == 80)
    }

    @Test func idsGoToTheEndOfSixtyFourBits() throws {
        let host = try TestHost { $0.firstMessageId = .max }
        let alice = try WireClient(host, "alice")
        let id = try alice.send(to: ["@bob@example.com"])
        #expect(id == .max)
        #expect(try WireClient(host, "bob").list().first?[Field.id]?.int64 == .max)
        let answer = try alice.request("POST", "/fmsg", json: alice.draftBody(to: []))
        #expect(answer.status == 500)
        #expect(try alice.message(id) != nil)
    }
}
