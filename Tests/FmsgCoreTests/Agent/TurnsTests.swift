import Testing

@testable import FmsgCore

@Suite struct TurnsTests {
    private func thread(_ messages: String...) throws -> FmsgThread {
        let list = messages.joined(separator: ",")
        let json = try JSON.read(#"{"complete":true,"messages":[\#(list)]}"#)
        return try FmsgThread(document: try #require(json.object))
    }

    private func message(
        _ id: Int, _ sender: String, _ text: String, _ more: String = ""
    ) -> String {
        #"{"id":\#(id),"visible":true,"from":"\#(sender)","time":1,"type":"text/plain","#
            + #""size":\#(text.utf8.count),"body":{"text":"\#(text)"}\#(more)}"#
    }

    private func turns(_ thread: FmsgThread, last limit: Int? = nil) -> [Turn] {
        thread.turns(for: "@Bot@example.com", last: limit)
    }

    @Test func onesOwnAreTheAssistants() throws {
        let thread = try thread(
            message(1, "@alice@example.com", "Hi"), message(2, "@bot@example.com", "Hello"),
            message(3, "@bob@example.com", "And I?"))
        #expect(
            turns(thread) == [
                Turn(.user, "@alice@example.com:\nHi"), Turn(.assistant, "Hello"),
                Turn(.user, "@bob@example.com:\nAnd I?"),
            ])
        #expect(turns(thread, last: 1) == [Turn(.user, "@bob@example.com:\nAnd I?")])
        #expect(
            turns(thread, last: 2).prefix(2) == [
                Turn(.user, "[thread start]"), Turn(.assistant, "Hello"),
            ])
        #expect(thread.replies(by: "@BOT@example.com") == 1)
        #expect(thread.visibleRootId == 1)
    }

    @Test func whatIsNoTextOrNotVisibleIsNamed() throws {
        let files = #","attachments":[{"filename":"a b","size":1},{"filename":"c","size":2}]"#
        let picture =
            #"{"id":3,"visible":true,"from":"@a@b","time":1,"type":"image/png","size":9,"#
            + #""body":{"download":"/x"}\#(files)}"#
        let thread = try thread(
            #"{"id":2,"visible":false}"#, picture, message(4, "@bot@example.com", "ok", files))
        #expect(
            turns(thread) == [
                Turn(.user, "[earlier message not visible to you]"),
                Turn(.user, "@a@b:\n[non-text message: image/png]\n[attachments: a b, c]"),
                Turn(.assistant, "ok\n[attachments: a b, c]"),
            ])
        // The topmost visible message is the root.
        #expect(thread.visibleRootId == 3)
    }

    @Test func reactionsAreLeftOut() throws {
        let reaction =
            #"{"id":2,"visible":true,"pid":1,"from":"@bot@example.com","time":1,"#
            + #""type":"text/plain;charset=UTF-8","size":4,"no_reply":true,"terminal":true,"#
            + #""body":{"text":"👍"}}"#
        let thread = try thread(message(1, "@a@b", "x"), reaction)
        #expect(turns(thread) == [Turn(.user, "@a@b:\nx")])
        #expect(thread.replies(by: "@bot@example.com") == 0)
    }

    @Test func aTurnAsJSON() {
        #expect(
            JSON.object(Turn(.user, "a\"b\n").document).text
                == #"{"role":"user","content":"a\"b\n"}"#)
    }
}
