import Testing

@testable import CommandLineTool

/// Lines at a prompt, where a message is open and a list was printed.
struct LineSurroundingsTests {
    private static let reference = ValueType<String>("REF", kind: .messageReference) {
        text throws(InvalidValue) in
        guard Int(text) != nil else { throw InvalidValue("expected a number") }
        return text
    }
    private static let message = Operand.required("REF", reference, "A message")
    private static let messages = Operand.repeated("REFS", reference, minimum: 1, "Messages")
    private static let text = Operand.optional("TEXT", .text(), "A text")
    private static let thread = Option.value("thread", reference, "A thread")

    private func words(_ line: String..., open: String? = "42", listed: [String] = ["7", "8"])
        throws -> [String: [String]]
    {
        var parser = CommandLineParser(
            program: "fmsg",
            commands: [
                CommandDeclaration(
                    "reply", group: .write, summary: "Reply", operands: [Self.message, Self.text]),
                CommandDeclaration(
                    "show", group: .read, summary: "Show", options: [Self.thread],
                    operands: [Self.messages]),
                CommandDeclaration(
                    "thread", group: .read, summary: "Thread", operands: [Self.message]),
                CommandDeclaration(
                    "draft send", group: .write, summary: "Send", operands: [Self.message]),
                CommandDeclaration("say", group: .write, summary: "Say", operands: [Self.text]),
            ],
            globalOptions: [], help: Option.flag("help", "Help"))
        parser.surroundings = LineSurroundings(message: open, listed: listed)
        guard case .run(let invocation) = try parser.parse(line) else { return [:] }
        var words = invocation.operands.filter { !$0.value.isEmpty }
        if let thread = invocation[Self.thread] { words["--thread"] = [thread] }
        return words
    }

    @Test func theOpenMessageIsMeantWhereNoneIsNamed() throws {
        #expect(try words("reply") == ["REF": ["42"]])
        #expect(try words("reply", "Gladly") == ["REF": ["42"], "TEXT": ["Gladly"]])
        #expect(try words("show") == ["REFS": ["42"]])
        #expect(try words("thread") == ["REF": ["42"]])
    }

    @Test func aNamedMessageIsMeantItself() throws {
        #expect(try words("reply", "10") == ["REF": ["10"]])
        #expect(try words("reply", "10", "minutes") == ["REF": ["10"], "TEXT": ["minutes"]])
        #expect(try words("show", "1", "2") == ["REFS": ["1", "2"]])
    }

    @Test func aWrongReferenceIsNotTakenForSomethingElse() {
        #expect(throws: UsageError.self) { try words("show", "Gladly") }
        #expect(throws: UsageError.self) { try words("thread", "Gladly") }
        #expect(throws: UsageError.self) { try words("reply", "a", "b") }
    }

    @Test func whereNothingIsOpenOneMustBeNamed() {
        for line in [["reply"], ["reply", "Gladly"], ["show"]] {
            #expect(throws: UsageError.self) { try words(line[0], open: nil) }
        }
        // What a group of commands is about is no message of a conversation.
        #expect(throws: UsageError.self) { try words("draft", "send") }
    }

    @Test func aNumberedLineNamesItsMessage() throws {
        #expect(try words("reply", "%2", "Hi") == ["REF": ["8"], "TEXT": ["Hi"]])
        #expect(try words("show", "%1", "%2", "9") == ["REFS": ["7", "8", "9"]])
        #expect(try words("show", "--thread", "%1") == ["REFS": ["42"], "--thread": ["7"]])
        #expect(try words("show", "--thread=%2", "1") == ["REFS": ["1"], "--thread": ["8"]])
        #expect(try words("say", "%1") == ["TEXT": ["%1"]])
        for word in ["%0", "%3", "%99999999999999999999"] {
            #expect(throws: UsageError.self) { try words("show", word) }
        }
    }

    @Test func withoutAListNoLineIsNamed() throws {
        let error = #expect(throws: UsageError.self) { try words("show", "%1", listed: []) }
        #expect(error?.message == "%1: no list was shown that it could name a line of")
        #expect(try words("say", "%1", listed: []) == ["TEXT": ["%1"]])
    }
}
