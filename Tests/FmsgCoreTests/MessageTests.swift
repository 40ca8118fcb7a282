import FmsgCore
import Testing

extension FmsgMessage {
    /// A message from JSON text.
    static func json(_ text: String) throws -> FmsgMessage {
        try FmsgMessage(document: try #require(try JSON.read(text).object))
    }
}

@Suite struct MessageTests {
    @Test func absentFieldsTakeTheirDefaults() throws {
        let message = try FmsgMessage.json(#"{"id":5,"to":null,"add_to":null,"foo":[1]}"#)
        #expect(message.to.isEmpty && message.addTo.isEmpty && message.attachments.isEmpty)
        #expect(message.isDraft && !message.isRead && !message.isTerminal)
        #expect(message.document["foo"] == .array([.integer(1)]))
        #expect(message.document[Field.read] == nil)
    }

    @Test(arguments: [
        #"{}"#, #"{"id":0}"#, #"{"id":-1}"#, #"{"id":9223372036854775808}"#, #"{"id":1.5}"#,
        #"{"id":"1"}"#, #"{"id":1,"to":"@a@b"}"#, #"{"id":1,"to":[1]}"#, #"{"id":1,"time":"x"}"#,
        #"{"id":1,"add_to":[1]}"#, #"{"id":1,"attachments":{}}"#, #"{"id":1,"read":1}"#,
        #"{"id":1,"pid":0}"#, #"{"id":1,"body":"x"}"#,
    ])
    func anotherShapeIsRefused(_ text: String) {
        #expect(throws: ShapeError.self) { try FmsgMessage.json(text) }
    }

    @Test func aLargeIdIsExact() throws {
        #expect(try FmsgMessage.json(#"{"id":9223372036854775807}"#).id == .max)
    }

    @Test func aPreviewIsTheBodyExactlyWhenItsBytesAreAll() throws {
        let whole = try FmsgMessage.json(
            #"{"id":1,"type":"text/plain","size":6,"short_text":"héllo"}"#)
        #expect(whole.wholeText == "héllo")
        let part = try FmsgMessage.json(
            #"{"id":1,"type":"text/plain","size":7,"short_text":"héllo"}"#)
        #expect(part.wholeText == nil)
        #expect(try FmsgMessage.json(#"{"id":1,"type":"text/plain","size":0}"#).wholeText == "")
        #expect(try FmsgMessage.json(#"{"id":1,"type":"image/png","size":0}"#).wholeText == nil)
    }

    static let grown = #"""
        {"id":1,"time":2,"from":"@Al@x.org","to":["@bob@x.org","@AL@x.org"],"add_to":[
        {"add_to_from":"@BOB@x.org","to":["@carol@y.org"],"sha256":"ab"}]}
        """#

    @Test func participantsAreUniqueAndInOrder() throws {
        let message = try FmsgMessage.json(Self.grown)
        #expect(message.participants == ["@Al@x.org", "@bob@x.org", "@carol@y.org"])
    }

    @Test func aReplyGoesToTheSenderOrToTheRecipientsOfOnesOwn() throws {
        let message = try FmsgMessage.json(Self.grown)
        #expect(message.replyRecipients(for: "@bob@x.org") == ["@Al@x.org"])
        #expect(message.replyRecipients(for: "@al@X.org") == ["@bob@x.org"])
        let note = try FmsgMessage.json(#"{"id":1,"from":"@a@b","to":["@A@b"]}"#)
        #expect(note.replyRecipients(for: "@a@b") == ["@a@b"])
        #expect(note.replyAllRecipients(for: "@a@b", owner: nil) == ["@a@b"])
    }

    @Test func aReplyToAllTakesTheOwnerInOnlyWhereTheDomainIsKnown() throws {
        let message = try FmsgMessage.json(Self.grown)
        #expect(
            message.replyAllRecipients(for: "@BOB@x.org", owner: "@boss@Y.org")
                == ["@Al@x.org", "@carol@y.org", "@boss@Y.org"])
        #expect(
            message.replyAllRecipients(for: "@bob@x.org", owner: "@boss@z.org")
                == ["@Al@x.org", "@carol@y.org"])
        #expect(
            message.replyAllRecipients(for: "@carol@y.org", owner: "@al@x.org")
                == ["@Al@x.org", "@bob@x.org"])
    }

    /// Field case F5.
    @Test func whoWasOnlyAddedNamesTheParentByTheBatch() throws {
        let message = try FmsgMessage.json(Self.grown)
        #expect(message.parentReference(for: "@CAROL@y.org").batchSHA256 == "ab")
        #expect(message.parentReference(for: "@bob@x.org") == ParentReference(id: 1))
        #expect(message.parentReference(for: "@al@x.org") == ParentReference(id: 1))
    }

    @Test(arguments: [
        (
            #""time_delivered":"2026-01-01T00:00:00Z","response_code":null"#,
            RecipientDelivery.State.delivered
        ),
        (#""time_delivered":"2026-01-01T00:00:00Z","response_code":200"#, .delivered),
        (#""time_delivered":null,"response_code":null"#, .pending),
        (#""response_code":-1"#, .pending), (#""response_code":-2"#, .pending),
        (#""response_code":100"#, .failed(.userUnknown)),
        (#""response_code":11"#, .failed(ResponseCode(11))),
    ])
    func aDeliveryHasAState(_ fields: String, _ state: RecipientDelivery.State) throws {
        let message = try FmsgMessage.json(
            #"{"id":1,"to_delivery":[{"addr":"@a@b",\#(fields)}]}"#)
        #expect(message.delivery.first?.state == state)
    }

    static let shape = #""pid":1,"no_reply":true,"terminal":true,"time":3"#
    static let type = #""type":"text/plain; charset=utf-8""#

    @Test(arguments: [
        (#"{"id":2,\#(shape),\#(type),"size":4,"body":{"text":"👍"}}"#, true),
        (#"{"id":2,\#(shape),\#(type),"size":0}"#, true),
        (#"{"id":2,\#(shape),\#(type),"size":4,"short_text":"👍","reaction":null}"#, false),
        (#"{"id":2,"reaction":""}"#, true), (#"{"id":2,"reaction":"👍"}"#, true),
        (#"{"id":2,\#(shape),\#(type),"size":2,"body":{"text":"ok"}}"#, false),
        (#"{"id":2,\#(shape),\#(type),"size":4,"short_text":"👍","important":true}"#, false),
        (#"{"id":2,\#(shape),"type":"text/plain","size":4,"short_text":"👍"}"#, false),
        (
            #"{"id":2,\#(shape),\#(type),"size":4,"short_text":"👍","attachments":[{"filename":"a"}]}"#,
            false
        ),
        (#"{"id":2,"no_reply":true,"terminal":true,\#(type),"size":4,"short_text":"👍"}"#, false),
    ])
    func aReactionIsKnown(_ text: String, _ isReaction: Bool) throws {
        #expect(try FmsgMessage.json(text).isReaction == isReaction)
    }

    @Test(arguments: ["👍", "👍🏽", "👨‍👩‍👧", "🇦🇺", "1️⃣", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
    func anEmojiIsOne(_ text: String) { #expect(Emoji.isSingle(text)) }

    @Test(arguments: ["", "1", "ok", "👍👍", "👍\n", "❤", "🇦", "a\u{FE0F}", "👍 "])
    func othersAreNone(_ text: String) { #expect(!Emoji.isSingle(text)) }

    @Test(arguments: [
        (#"{"id":1,"time":1}"#, true), (#"{"id":1}"#, false),
        (#"{"id":1,"time":1,"no_reply":true}"#, false),
        (#"{"id":1,"time":1,"terminal":true}"#, false),
    ])
    func repliesAreAcceptedOrNot(_ text: String, _ accepts: Bool) throws {
        let message = try FmsgMessage.json(text)
        #expect(message.acceptsReplies == accepts)
        #expect((try? FmsgClient.checkAcceptsReplies(message)) != nil || !accepts)
    }

    @Test func aDraftLeavesOutWhatIsNotSet() {
        let message = NewMessage(to: ["@b@c"], text: "é")
        #expect(
            JSON.object(message.draftDocument(from: "@a@b")).text
                == #"{"version":1,"from":"@a@b","to":["@b@c"],"type":"text/plain;charset=UTF-8","size":2,"data":"é"}"#
        )
        let reply = NewMessage(
            to: ["@b@c"], parent: ParentReference(id: .max, batchSHA256: nil), text: "",
            isTerminal: true)
        let document = reply.draftDocument(from: "@a@b")
        #expect(document[Field.pid]?.int64 == .max)
        #expect(document[Field.terminal] == .bool(true))
    }

    @Test(arguments: [
        ("a\u{1B}]0;x\u{7}b", "a ]0;x b"), ("line\none", "line one"), ("a\u{202E}b", "a b"),
        ("key fmsgk_id_secret!", "key [redacted]"), ("Bearer eyJhbGci.x.y", "Bearer [redacted]"),
        (String(repeating: "é", count: 50), String(repeating: "é", count: 19) + "…"),
    ])
    func aLineIsSafe(_ text: String, _ safe: String) {
        #expect(SafeText.line(text, limit: 20).replacing("  ", with: " ") == safe)
    }
}
