import Testing

@testable import FmsgRepl

struct EditedLineTests {
    private func statements(_ text: String) throws -> [Statement] {
        try EditedLine.statements(text, home: nil)
    }

    @Test func linesBelowTheCommandAreItsText() throws {
        #expect(
            try statements("send @bob@example.com\n\nDear 'Bob',\n\nyes; | no.\n\n") == [
                Statement(
                    action: .command(["send", "@bob@example.com", "-"]),
                    input: "Dear 'Bob',\n\nyes; | no.")
            ])
    }

    @Test func aCommandAloneIsAsIfTyped() throws {
        #expect(
            try statements("inbox; sent\n\n") == [
                Statement(action: .command(["inbox"])), Statement(action: .command(["sent"])),
            ])
        #expect(
            try statements("reply 'a\nb'\n") == [Statement(action: .command(["reply", "a\nb"]))])
        #expect(
            try statements("reply <<\na\nb\n") == [
                Statement(action: .command(["reply", "-"]), input: "a\nb")
            ])
        #expect(try statements("\n\n") == [])
        #expect(throws: LineError.unclosedQuote) { try statements("reply 'a\nb") }
    }
}
