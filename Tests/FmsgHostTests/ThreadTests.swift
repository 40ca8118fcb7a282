import FmsgCore
import TestSupport
import Testing

@Suite struct ThreadTests {
    private func messages(_ answer: TransportResponse) -> [JSONObject] {
        answer.json?[Field.messages]?.array?.compactMap(\.object) ?? []
    }

    @Test func aLineageIsShownFromItsRoot() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let root = try alice.draft(
            to: [bob.address, "@carol@example.com"], "hello again", [Field.topic: .string("T2")])
        try alice.attach(root, "r\u{e9}sum\u{e9} x.txt", Array("one".utf8))
        #expect(try alice.request("POST", "/fmsg/\(root)/send").status == 200)
        let added: JSONObject = [Field.addTo: .strings(["@dave@example.com"])]
        #expect(try bob.request("POST", "/fmsg/\(root)/add-to", json: added).status == 200)
        let reply = try bob.send(to: [alice.address], "re", [Field.pid: .integer(root)])
        _ = try alice.send(to: [bob.address], "a sibling", [Field.pid: .integer(root)])
        let last = try alice.send(to: [bob.address], "last", [Field.pid: .integer(reply)])

        let answer = try alice.request("GET", "/fmsg/\(last)/thread/messages")
        expectLikeCapture("thread-messages-ok", answer)
        #expect(answer.json?[Field.rootId]?.int64 == root)
        #expect(messages(answer).compactMap { $0[Field.id]?.int64 } == [root, reply, last])
        let attachment = messages(answer).first?[Field.attachments]?.array?.first?.object
        let path = try #require(attachment?[Field.download]?.string)
        #expect(try alice.request("GET", path).text == "one")
        let hash = try #require(try alice.message(last)?[Field.sha256]?.string)
        #expect(try alice.request("GET", "/fmsg/\(hash)/thread/messages").text == answer.text)

        let text = try alice.request("GET", "/fmsg/\(last)/thread")
        let blocks = text.text.split(separator: "\n\n")
        #expect(blocks.map { $0.split(separator: "\n").last } == ["hello again", "re", "last"])
        let rootText = try alice.request("GET", "/fmsg/\(root)/thread")
        #expect(rootText.body.count == 60)
        #expect(rootText.header("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test func ancestorsOfOthersAreInvisible() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let carol = try WireClient(host, "carol")
        let root = try alice.send(to: [bob.address])
        let reply = try bob.send(to: [alice.address], "re", [Field.pid: .integer(root)])
        let last = try alice.send(
            to: [bob.address, carol.address], "last", [Field.pid: .integer(reply)])
        let answer = try carol.request("GET", "/fmsg/\(last)/thread/messages")
        expectLikeCapture("thread-messages-partially-visible", answer)
        #expect(answer.json?[Field.complete]?.bool == false)
        #expect(messages(answer).map { $0[Field.visible]?.bool } == [false, false, true])
        #expect(messages(answer).first?.fields.count == 2)
        #expect(!answer.text.contains("hello"))
        let text = try carol.request("GET", "/fmsg/\(last)/thread").text
        #expect(
            text.split(separator: "\n").filter { $0 == "[message not visible to you]" }.count == 2)
        expectLikeCapture(
            "thread-messages-forbidden", try carol.request("GET", "/fmsg/\(root)/thread/messages"))
        #expect(try carol.request("GET", "/fmsg/\(root)/thread").status == 403)
    }

    @Test func bodiesThatAreNotTextAreNamed() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let type: JSONObject = [
            Field.type: .string("application/octet-stream"), Field.topic: .string("Greetings"),
        ]
        let id = try alice.send(to: ["@bob@example.com"], "12345678", type)
        let answer = try alice.request("GET", "/fmsg/\(id)/thread/messages")
        expectLikeCapture("thread-messages-binary", answer)
        let download = messages(answer).first?[Field.body]?.object?[Field.download]?.string
        #expect(download == "/fmsg/\(id)/data")
        let text = try alice.request("GET", "/fmsg/\(id)/thread").text
        #expect(text.hasSuffix("---\n[non-text message: application/octet-stream, 8 bytes]\n"))
    }

    @Test func depthHasItsLimits() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        var ids: [Int64] = []
        for depth in 0...101 {
            let parent: JSONObject = ids.last.map { [Field.pid: .integer($0)] } ?? [:]
            ids.append(try alice.send(to: ["@bob@example.com"], "\(depth)", parent))
        }
        let hundred = try alice.request("GET", "/fmsg/\(ids[99])/thread/messages")
        #expect(hundred.status == 200)
        #expect(messages(hundred).count == 100)
        expectLikeCapture(
            "thread-messages-too-deep",
            try alice.request("GET", "/fmsg/\(ids[100])/thread/messages"))
        let text = try alice.request("GET", "/fmsg/\(ids[101])/thread").text
        let blocks = text.split(separator: "\n\n")
        #expect(blocks.count == 101)
        #expect(blocks.first?.hasSuffix("\n1") == true)
    }

    @Test func theTextOfAThreadHasALimit() throws {
        let host = try TestHost { $0.limits.thread = 10 }
        let alice = try WireClient(host, "alice")
        let root = try alice.send(to: ["@bob@example.com"], "0123456789")
        #expect(try alice.request("GET", "/fmsg/\(root)/thread/messages").status == 200)
        let reply = try alice.send(to: ["@bob@example.com"], "x", [Field.pid: .integer(root)])
        let answer = try alice.request("GET", "/fmsg/\(reply)/thread/messages")
        #expect(answer.status == 413)
        #expect(answer.json?[Field.code]?.string == "thread_too_large")
    }

    @Test func whatIsNotThereIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        expectLikeCapture("thread-bad-id", try alice.request("GET", "/fmsg/abc/thread"))
        expectLikeCapture("thread-not-found", try alice.request("GET", "/fmsg/999999/thread"))
        #expect(try alice.request("GET", "/fmsg/999999/thread/messages").status == 404)
    }
}
