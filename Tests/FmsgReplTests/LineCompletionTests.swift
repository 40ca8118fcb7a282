import CommandLineTool
import FmsgCommands
import FmsgCore
import FmsgHost
import FmsgTransport
import TestSupport
import Testing

@testable import FmsgRepl

struct LineCompletionTests {
    private func completion(files: any FileSystem = LocalFileSystem()) throws -> LineCompletion {
        var state = ReplState()
        state.become("@alice@example.com", .connected)
        state.recent.add(
            received: [
                try .sample(41, topic: "Lunch"),
                try .sample(
                    42, from: "@carol@example.com",
                    more: [
                        Field.attachments: .array(
                            ["a b.txt", "plan.pdf", "c\u{1B}.txt"].map { name in
                                .object([
                                    Field.filename: .string(name), Field.size: .integer(1),
                                ])
                            })
                    ]),
            ], me: "@alice@example.com")
        state.listed = [41, 42]
        let runtime = Runtime.forTesting()
        let store = try ReplStore()
        let session = ReplSession(
            runtime: runtime, store: store, globalArguments: [], hasPrompt: false
        ) { CurlTransport(settings: $0) }
        return LineCompletion(
            parser: FmsgProgram.parser(of: session.commands.map(\.declaration)),
            live: LiveCompletion(runtime: runtime, known: state.recent), state: state, files: files,
            home: "/home/alice")
    }

    /// Of a line up to the cursor, from where readline lets the word begin.
    private func answer(_ line: String, _ completion: LineCompletion) -> LineCompletion.Answer? {
        let start = line.utf8.lastIndex { " \t\n|;".utf8.contains($0) }.map {
            line.utf8.distance(from: line.startIndex, to: $0) + 1
        }
        return completion.answer(line, start: start ?? 0)
    }

    @Test(arguments: [
        ("inb", "inbox"), ("whoami; branc", "branches"), ("inbox --unr", "--unread"),
        ("send @c", "@carol@example.com"), ("send '@c", "'@carol@example.com'"),
        ("send \"@c", "\"@carol@example.com\""), ("open 4", "4"), ("show 41 4", "42"),
        ("open %", "%"), ("notices m", "mentions"), ("inbox --color=al", "--color=always"),
    ])
    func wordsAreCompleted(line: String, insertion: String) throws {
        #expect(answer(line, try completion())?.insertion == insertion)
    }

    @Test(arguments: [
        "inbox | inb", "!inb", "foo ", "reply 41 'some te", "# inb", "inbox > /none/",
    ])
    func whereNothingFitsNothingIsProposed(line: String) throws {
        #expect(answer(line, try completion()) == nil)
    }

    @Test func candidatesAreDescribed() throws {
        let answer = try #require(answer("open ", try completion()))
        #expect(answer.candidates.map(\.word) == ["42", "41"])
        #expect(answer.candidates[1].description == "@bob@example.com  Lunch")
        #expect(answer.words == ["42", "41"] && !answer.isWhole)
    }

    @Test func whatIsOpenIsCompletedFor() throws {
        var completion = try completion()
        #expect(answer("react ", completion)?.candidates.count == 2)
        var state = completion.state
        state.open = OpenMessage(try .sample(42), topic: "")
        completion = LineCompletion(
            parser: completion.parser, live: completion.live, state: state,
            files: completion.files, home: nil)
        #expect(answer("react ", completion)?.candidates.count == 2)
    }

    @Test func fileNamesAreQuotedWhereTheyMustBe() throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-completion")
        defer { folder.remove() }
        let files = LocalFileSystem()
        for name in ["one file", "one \"fine\" file", "other", ".hidden", "bad\u{1B}name"] {
            try files.writeAtomically("\(folder.path)/\(name)", [], mode: 0o600)
        }
        try files.createFolder(folder.path + "/sub")
        let completion = try completion()
        let path = folder.path
        func insertion(_ line: String) -> String? { answer(line, completion)?.insertion }
        #expect(insertion("save \(path)/ot") == "\(path)/other")
        #expect(insertion("save \(path)/one") == "\"\(path)/one ")
        #expect(insertion("save \"\(path)/one f") == "file\"")
        #expect(insertion("save \(path)/su") == "\(path)/sub/")
        #expect(insertion("inbox > \(path)/ot") == "\(path)/other")
        #expect(insertion("inbox | cat \(path)/ot") == "\(path)/other")
        #expect(insertion("save \(path)/bad") == nil)
        #expect(insertion("save \(path)/.h") == "\(path)/.hidden")
        #expect(answer("save \(path)/", completion)?.candidates.count == 5)
    }

    /// In the shell's part a name is a word of the shell, whoever chose it.
    @Test func namesAreQuotedForTheShell() async throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-completion")
        defer { folder.remove() }
        let files = LocalFileSystem()
        let specials = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }.filter { $0 != "/" }
        let hostile = ["$(touch pwned)", "`touch pwned`", "x;touch pwned", "é ü ✓", "$HOME", "~"]
        for (index, name) in (specials + hostile).enumerated() {
            let path = "\(folder.path)/f\(index)x"
            try files.createFolder(path)
            try files.writeAtomically("\(path)/a\(name)b", [], mode: 0o600)
            for quote in ["", "'", "\""] {
                let line = "!printf %s \(quote)\(path)/a"
                let answer = try #require(answer(line, try completion()))
                let word = answer.insertion
                #expect(answer.isWhole)
                let run = try await printed("printf %s \(word)")
                #expect(run == "\(path)/a\(name)b", "\(word)")
            }
        }
        #expect(answer("!cat $HOME/f", try completion()) == nil)
        #expect(answer("inbox | cat `ls f", try completion()) == nil)
        let spaced = "inbox | cat \(folder.path)/f0x/a\\ "
        #expect(answer(spaced, try completion())?.insertion == "b")
    }

    private func printed(_ script: String) async throws -> String {
        try await BuiltProgram("/bin/sh", ["-c", script]).readAll()
    }

    @Test func whatStandsBeforeTheWordStays() throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-completion")
        defer { folder.remove() }
        try LocalFileSystem().writeAtomically("\(folder.path)/new name", [], mode: 0o600)
        let completion = try completion()
        let path = folder.path
        func insertion(_ line: String) -> String? { answer(line, completion)?.insertion }
        #expect(insertion("whoami >\(path)/n") == ">\"\(path)/new name\"")
        #expect(insertion("whoami >>\(path)/n") == ">>\"\(path)/new name\"")
        #expect(insertion("inbox |cat>\(path)/n") == "cat>\(path)/new\\ name")
        #expect(insertion("!\(path)/n") == "!\(path)/new\\ name")
        #expect(insertion("!cat <\(path)/n") == "<\(path)/new\\ name")
        #expect(insertion("send @b@c.d --file=\(path)/n") == "\"--file=\(path)/new name\"")
        // After the sign a file comes, not a command.
        let words = try #require(answer("whoami > ", completion)).words
        #expect(!words.contains("inbox"))
    }
}
