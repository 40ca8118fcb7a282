import FmsgCore
import TestSupport
import Testing

@Suite struct ReactionTests {
    private func react(
        _ emoji: JSON, to id: Int64, by client: WireClient
    ) throws -> TransportResponse {
        try client.request("POST", "/fmsg/\(id)/react", json: [Field.emoji: emoji])
    }

    private func reactions(_ client: WireClient, _ id: Int64) throws -> String {
        try client.message(id)?[Field.reactions]?.text ?? ""
    }

    @Test func aReactionStandsOnItsSubject() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address, "@carol@example.com"])
        let sent = try react(.string("👍"), to: id, by: bob)
        expectLikeCapture("react-ok", sent)
        let repeated = try react(.string("👍"), to: id, by: bob)
        expectLikeCapture("react-same-again", repeated)
        #expect(repeated.json == sent.json)
        let thumb = "[{\"emoji\":\"👍\",\"from\":[\"@bob@example.com\"]}]"
        #expect(try reactions(alice, id) == thumb)
        #expect(try react(.string("👍"), to: id, by: alice).status == 201)
        #expect(try react(.string("🎉"), to: id, by: bob).status == 201)
        expectLikeCapture("get-after-send-remote", try alice.request("GET", "/fmsg/\(id)"))
        let both = """
            [{"emoji":"👍","from":["@alice@example.com"]},{"emoji":"🎉","from":["@bob@example.com"]}]
            """
        #expect(try reactions(alice, id) == both)
        let cleared = try react(.string(""), to: id, by: bob)
        expectLikeCapture("react-clear", cleared)
        let left = "[{\"emoji\":\"👍\",\"from\":[\"@alice@example.com\"]}]"
        #expect(try reactions(alice, id) == left)
        let nothing = try react(.null, to: id, by: bob)
        expectLikeCapture("react-clear-null-none", nothing)
        #expect(nothing.text == "{\"id\":null,\"sha256\":null,\"time\":null}")
        #expect(try bob.request("POST", "/fmsg/\(id)/react", json: [:]).status == 200)
    }

    @Test func aReactionIsAMessageOfItsOwn() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address, "@x@remote.test"])
        let reaction = try #require(
            try react(.string("👍"), to: id, by: bob).json?[Field.id]?.int64)
        let answer = try alice.request("GET", "/fmsg/\(reaction)")
        let message = try #require(answer.json)
        #expect(message[Field.reaction]?.string == "👍")
        #expect(message[Field.terminal]?.bool == true)
        #expect(message[Field.noReply]?.bool == true)
        #expect(message[Field.type]?.string == "text/plain;charset=UTF-8")
        #expect(message[Field.to]?.array?.count == 2)
        #expect(try alice.list().first?[Field.id]?.int64 == reaction)
        let reply = alice.draftBody(to: [bob.address], "re", [Field.pid: .integer(reaction)])
        expectLikeCapture("reply-to-reaction", try alice.request("POST", "/fmsg", json: reply))
        expectLikeCapture("terminal-react", try react(.string("👍"), to: reaction, by: alice))
    }

    @Test func aSentMessageOfTheShapeIsAReaction() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address])
        let shape: JSONObject = [
            Field.pid: .integer(id), Field.terminal: .bool(true), Field.noReply: .bool(true),
            Field.type: .string("Text/Plain; charset=utf-8"),
        ]
        let reaction = try bob.send(to: [alice.address], "🎉", shape)
        #expect(try alice.message(reaction)?[Field.reaction]?.string == "🎉")
        #expect(try reactions(alice, id).contains("🎉"))
        for change: JSONObject in [
            [Field.important: .bool(true)], [Field.noReply: .bool(false)],
            [Field.terminal: .bool(false)], [Field.type: .string("text/plain")],
        ] {
            var other = shape
            for field in change.fields { other[field.key] = field.value }
            let plain = try bob.send(to: [alice.address], "👍", other)
            #expect(try alice.message(plain)?[Field.reaction]?.isNull == true)
        }
        let words = try bob.send(to: [alice.address], "ok", shape)
        #expect(try alice.message(words)?[Field.reaction]?.isNull == true)
        #expect(try !reactions(alice, id).contains("👍"))
    }

    @Test func reactingIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address])
        for (name, emoji) in [
            ("react-not-emoji", JSON.string("ok")), ("react-two-emoji", .string("👍👍")),
            ("react-emoji-digit", .string("1")), ("react-emoji-newline", .string("👍\n")),
            ("react-emoji-heart-text", .string("\u{2764}")),
            ("react-emoji-number-type", .integer(5)),
        ] {
            expectLikeCapture(name, try react(emoji, to: id, by: bob))
        }
        for emoji in ["👨‍👩‍👧", "🇦🇺", "👍🏽"] {
            #expect(try react(.string(emoji), to: id, by: bob).status == 201)
        }
        expectLikeCapture("react-not-found", try react(.string("👍"), to: 999_999, by: bob))
        let badId = try bob.request("POST", "/fmsg/abc/react", json: [:])
        expectLikeCapture("react-bad-id", badId)
        let stranger = try WireClient(host, "carol")
        expectLikeCapture("react-nonparticipant", try react(.string("👍"), to: id, by: stranger))
        let draft = try alice.draft(to: [bob.address])
        expectLikeCapture("react-draft", try react(.string("👍"), to: draft, by: bob))
        let alone = try alice.send(to: [alice.address])
        #expect(try react(.string("👍"), to: alone, by: alice).status == 409)
    }
}
