import CommandLineTool
import FmsgCore
import Testing

@testable import FmsgRepl

struct NoticeTests {
    private func message(_ id: Int64, from: String = "@bob@example.com") throws -> Notice {
        .message(MessageNotice(try .sample(id, from: from), topic: "Lunch"))
    }

    private func lines(_ batch: NoticeBoard.Batch?, columns: Int = 80) -> [String] {
        batch.map { NoticeText(columns: columns, style: .plain).lines($0) } ?? []
    }

    @Test func theFirstIsShownAtOnceAndTheNextAfterAPause() throws {
        var board = NoticeBoard()
        #expect(board.wait(at: 5) == nil)
        board.add(try message(1))
        #expect(board.wait(at: 5) == 0)
        #expect(lines(board.take(at: 5)) == ["[1] @bob@example.com  Lunch  Hi"])
        board.add(try message(2))
        #expect(board.take(at: 5.5) == nil)
        #expect(board.wait(at: 5.5) == 0.5)
        #expect(lines(board.take(at: 6)).count == 1)
        #expect(board.wait(at: 6) == nil)
    }

    @Test func aBurstIsFoldedIntoOne() throws {
        var board = NoticeBoard()
        for id in 1...3 { board.add(try message(Int64(id))) }
        #expect(lines(board.take(at: 0)).count == 3)
        for id in 4...503 {
            board.add(try message(Int64(id), from: "@user\(id % 5)@example.com"))
        }
        #expect(
            lines(board.take(at: 1), columns: 200) == [
                "[4-503] 500 messages from @user4@example.com, @user0@example.com, "
                    + "@user1@example.com and others"
            ])
        // While it goes on, less is said; once it is over, all is as before.
        board.add(try message(504))
        #expect(board.wait(at: 1) == 2)
        #expect(lines(board.take(at: 3)).count == 1)
        board.add(try message(505))
        #expect(board.wait(at: 3) == 1)
    }

    @Test func quieterOnesAreFoldedApart() throws {
        var board = NoticeBoard()
        board.add(try message(1))
        for id in 2...6 { board.add(.change(Int64(id), "changed")) }
        #expect(
            lines(board.take(at: 0)) == [
                "[1] @bob@example.com  Lunch  Hi", "5 other things happened to your messages",
            ])
    }

    @Test func theBoardStaysSmall() throws {
        var board = NoticeBoard()
        for id in 1...50_000 { board.add(try message(Int64(id), from: "@u\(id)@example.com")) }
        // Seven notices, three names and a few numbers.
        #expect("\(board)".utf8.count < 5000)
        #expect(lines(board.take(at: 0)).count == 1)
    }

    @Test func aReplyIsToldWithTheTopicOfItsThread() throws {
        var state = ReplState()
        state.become("@alice@example.com", .connecting)
        state.handle(.newMessage(try .sample(1, topic: "Lunch")))
        state.handle(.connected)
        state.handle(.newMessage(try .sample(2, text: "Gladly", pid: 1)))
        #expect(lines(state.notices.take(at: 0)) == ["[2] @bob@example.com  Lunch  Gladly"])
    }

    @Test func whatIsNoTextIsNamed() throws {
        let message = try FmsgMessage.sample(
            1, text: "",
            more: [
                Field.type: .string("image/png"),
                Field.attachments: .array([
                    .object([Field.filename: .string("a.png"), Field.size: .integer(1)])
                ]),
            ])
        let batch = NoticeBoard.Batch(whole: [.message(MessageNotice(message, topic: "T"))])
        #expect(
            lines(batch) == ["[1] @bob@example.com  T  [image/png] [attachments: a.png]"])
    }

    @Test func theModeSaysWhatIsTold() throws {
        var board = NoticeBoard()
        board.mode = .mentions
        board.add(try message(1))
        board.add(.reaction(ReactionNotice(try .sample(1))))
        #expect(board.wait(at: 0) == nil)
        board.add(try message(2), isMention: true)
        board.add(.change(3, "not delivered"))
        #expect(lines(board.take(at: 0)).count == 2)
        board.mode = .off
        board.add(try message(4), isMention: true)
        board.add(.change(3, "not delivered"))
        board.add(.talk("offline"))
        #expect(lines(board.take(at: 2)) == ["offline"])
    }

    @Test func aNoticeIsOneSafeLine() throws {
        let hostile = MessageNotice(
            try .sample(
                7, from: "@e\u{202E}ve@example.com", text: "\n \n\u{7}x\ny",
                more: [Field.important: .bool(true)]), topic: "a\nb\u{1B}[2J")
        let batch = NoticeBoard.Batch(whole: [.message(hostile)])
        #expect(
            lines(batch) == [#"[7] ! @e\u202eve@example.com  a\x0ab\x1b[2J  \x07x"#])
        for columns in [20, 21, 22, 33, 34] {
            let wide = MessageNotice(
                try .sample(1, text: "寿司 寿司 寿司"), topic: "寿司寿司")
            let line = lines(NoticeBoard.Batch(whole: [.message(wide)]), columns: columns)[0]
            #expect(DisplayText.width(line) <= columns, "\(line)")
        }
    }
}
