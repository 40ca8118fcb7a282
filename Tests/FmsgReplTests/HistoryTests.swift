import Testing

@testable import FmsgRepl

struct HistoryTests {
    @Test func aLineIsThereOnceAndLast() {
        var history = History(bytes: Array("inbox\nsent\ninbox\n".utf8))
        history.add("sent")
        #expect(history.lines == ["inbox", "sent"])
        #expect(String(decoding: history.bytes, as: UTF8.self) == "inbox\nsent\n")
    }

    @Test(arguments: [
        "", " sent", "\tsent", "login", "whoami; login -", "send @bob@example.com fmsgk_abc",
        "send @bob@example.com eyJhbGciOi", "!FMSG_API_KEY=x fmsg inbox", "a\u{1B}[A", "a\nb",
        "send -m '-----BEGIN PRIVATE KEY-----'", String(repeating: "x", count: 5000),
    ])
    func whatIsSecretOrNoLineIsNotKept(line: String) {
        #expect(!History.isKept(line))
    }

    @Test(arguments: ["inbox", "send @bob@example.com 'blogin'", "reply 寿司", "a\tb"])
    func otherLinesAreKept(line: String) {
        #expect(History.isKept(line))
    }

    @Test func aDamagedFileGivesWhatCanBeRead() {
        let bytes = Array("inbox\n".utf8) + [0xFF, 0x0A, 0x00, 0x0A] + Array("sent".utf8)
        #expect(History(bytes: bytes).lines == ["inbox", "sent"])
    }

    @Test func itIsBounded() {
        var history = History()
        for number in 0..<(History.limit + 10) { history.add("show \(number)") }
        #expect(history.lines.count == History.limit)
        #expect(history.lines.first == "show 10")
    }
}
