import FmsgCore
import Testing

@testable import FmsgRepl

struct ReplStateTests {
    private var state: ReplState

    init() {
        state = ReplState()
        state.become("@alice@example.com", .connecting)
    }

    private func told(_ state: inout ReplState) -> [Notice] {
        state.notices.take(at: 1e6)?.whole ?? []
    }

    @Test func whatIsThereAtTheStartIsCountedAndNotTold() throws {
        var state = state
        state.handle(.newMessage(try .sample(1)))
        state.handle(.newMessage(try .sample(2, from: "@Alice@example.com")))
        state.handle(.newMessage(try .sample(3, more: [Field.read: .bool(true)])))
        state.handle(.newMessage(try .sample(4, more: [Field.reaction: .string("👍")])))
        #expect(state.connection == .connecting)
        state.handle(.connected)
        #expect(state.connection == .connected)
        #expect(state.unread.count == 1)
        #expect(told(&state) == [])
        state.handle(.newMessage(try .sample(5)))
        #expect(state.unread.count == 2)
        #expect(told(&state).count == 1)
    }

    @Test func aLostConnectionIsToldOnceAndSoIsItsReturn() throws {
        var state = state
        state.handle(.connected)
        state.handle(.disconnected(reason: "gone", retryIn: 1.2))
        state.handle(.disconnected(reason: "still gone", retryIn: 2))
        #expect(state.connection == .offline)
        #expect(told(&state) == [.talk("offline: gone; trying again in 2 s")])
        state.handle(.connected)
        state = {
            var next = $0
            next.notices = NoticeBoard()
            return next
        }(state)
        state.handle(.connected)
        #expect(told(&state) == [])
    }

    @Test(arguments: [
        ("Look, @alice!", true), ("@Alice@example.com: hello", true), ("(@alice)", true),
        ("It was @alice.", true), ("@alicer", false), ("alice", false), ("a@alice", false),
        ("@alice@other.example", true),
    ])
    func aMentionNamesOne(text: String, isMention: Bool) throws {
        var state = state
        state.handle(.connected)
        state.notices.mode = .mentions
        state.handle(.newMessage(try .sample(1, text: text)))
        #expect(told(&state).count == (isMention ? 1 : 0))
    }

    @Test func aFailedDeliveryIsToldOnce() throws {
        var state = state
        let failed = try FmsgMessage.sample(
            9, from: "@alice@example.com",
            more: [
                Field.toDelivery: .array([
                    .object([
                        Field.address: .string("@nobody@example.com"), Field.timeDelivered: .null,
                        Field.responseCode: .integer(100),
                    ])
                ])
            ])
        state.handle(.updated(.delivery, failed))
        state.noteFailures(of: failed)
        #expect(
            told(&state) == [.change(9, "not delivered to @nobody@example.com: user unknown")])
    }

    @Test func unreadMessagesAreCountedOnce() {
        var unread = UnreadMessages()
        for id in [3, 1, 2, 3, 1] as [Int64] { unread.insert(id) }
        #expect(unread.count == 3)
        for id in [2, 2, 7] as [Int64] { unread.remove(id) }
        #expect(unread.count == 2)
    }

    @Test func anotherIdentityBeginsAnew() throws {
        var state = state
        state.notices.mode = .mentions
        state.handle(.newMessage(try .sample(1)))
        state.listed = [1]
        state.open = OpenMessage(try .sample(1), topic: "")
        state.become("@bob@example.com", .connecting)
        #expect(state.unread.count == 0 && state.listed == [] && state.open == nil)
        #expect(state.notices.mode == .mentions)
    }

    // MARK: The prompt

    @Test(arguments: [
        (200, "@alice@example.com (3) #42 Lunch at noon offline> "),
        (80, "@alice@example.com (3) #42 offline> "), (60, "@alice (3) #42 !> "),
        (34, "(3) #42 !> "), (20, "#42 !> "), (5, "> "),
    ])
    func thePromptTakesHalfOfTheWindowAtMost(columns: Int, text: String) throws {
        var state = state
        for id in 1...3 { state.unread.insert(Int64(id)) }
        state.open = OpenMessage(try .sample(42), topic: "Lunch at noon")
        state.connection = .offline
        let prompt = PromptText(state)
        #expect(prompt.plain(columns: columns) == text)
        #expect(prompt.marked(columns: columns, .plain) == text)
    }

    @Test func thePromptIsSafe() throws {
        var state = state
        state.connection = .connected
        state.open = OpenMessage(try .sample(1), topic: "\u{1}\u{1B}[31m")
        let marked = PromptText(state).marked(columns: 80, .init(isOn: true))
        #expect(!marked.contains("\u{1B}[31m"))
        #expect(marked.contains(#"\x01\x1b[31m"#))
    }
}
