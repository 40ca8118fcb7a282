import Testing

@testable import FmsgRepl

struct LineReaderTests {
    private func statements(_ lines: String...) throws(LineError) -> [Statement] {
        var reader = LineReader(home: "/home/alice")
        var all: [Statement] = []
        for line in lines { all += try reader.take(line) }
        try reader.finish()
        return all
    }

    private func command(
        _ words: [String], _ output: Statement.Output = .standard, input: String? = nil
    ) -> Statement {
        Statement(action: .command(words), output: output, input: input)
    }

    @Test(arguments: [
        ("inbox", ["inbox"]), ("  show\t42  ", ["show", "42"]),
        ("reply 'two words'", ["reply", "two words"]),
        (#"reply "he said \"no\" \ \\ \n""#, ["reply", #"he said "no" \ \ \n"#]),
        (#"reply 'a\b'"#, ["reply", #"a\b"#]),
        (#"reply two\ words"#, ["reply", "two words"]),
        ("reply ''", ["reply", ""]), ("send --topic='a b'c", ["send", "--topic=a bc"]),
        ("reply \"a\"'b'", ["reply", "ab"]),
        // An apostrophe within a word is one.
        ("reply don't", ["reply", "don't"]), ("reply 5\"", ["reply", "5\""]),
        // Signs that are none where they stand.
        ("reply a->b", ["reply", "a->b"]), ("reply 1<<2", ["reply", "1<<2"]),
        ("reply '| > ; <<'", ["reply", "| > ; <<"]), ("reply a#1 !x", ["reply", "a#1", "!x"]),
        ("save ~/a", ["save", "/home/alice/a"]), ("save a~/b", ["save", "a~/b"]),
        ("react 👨‍👩‍👧", ["react", "👨‍👩‍👧"]),
        // A mark that combines with a quote hides it from a reader of characters.
        ("reply 'a b'\u{301}", ["reply", "a b\u{301}"]),
    ])
    func wordsArePartedByBlanksAndKeptByQuotes(line: String, words: [String]) throws {
        #expect(try statements(line) == [command(words)])
    }

    @Test func emptyLinesAndCommentsAreNothing() throws {
        for line in ["", "   ", "# a | b > c", ";", " ; ; # x"] {
            #expect(try statements(line) == [], "\(line)")
        }
    }

    @Test func aSemicolonPartsCommands() throws {
        #expect(
            try statements("open 1; next;reply 'a;b'") == [
                command(["open", "1"]), command(["next"]), command(["reply", "a;b"]),
            ])
    }

    @Test func outputGoesToAShellCommandOrAFile() throws {
        #expect(
            try statements("inbox --json | jq -r '.[] | .id; 1' | head -n 1; next") == [
                command(["inbox", "--json"], .pipe("jq -r '.[] | .id; 1' | head -n 1")),
                command(["next"]),
            ])
        #expect(
            try statements("inbox|(cat; true)") == [command(["inbox"], .pipe("(cat; true)"))])
        #expect(
            try statements("inbox > 'a b'; sent >>~/log") == [
                command(["inbox"], .file("a b", appends: false)),
                command(["sent"], .file("/home/alice/log", appends: true)),
            ])
    }

    @Test func anExclamationMarkIsForTheShell() throws {
        #expect(
            try statements("!ls | wc; date # x")
                == [Statement(action: .shell("ls | wc; date # x"))])
        #expect(try statements("!") == [Statement(action: .shell(""))])
    }

    @Test func aTextEndsWithADot() throws {
        #expect(
            try statements("send @bob@example.com <<", "Hi 'Bob',", "", " . ", "..", ".", "next")
                == [
                    command(
                        ["send", "@bob@example.com", "-"], input: "Hi 'Bob',\n\n . \n.."),
                    command(["next"]),
                ])
        #expect(
            try statements("reply - <<END | cat; next", ".", "END") == [
                command(["reply", "-"], .pipe("cat"), input: "."), command(["next"]),
            ])
        #expect(
            try statements("reply <<; reply <<", "a", ".", "b", ".") == [
                command(["reply", "-"], input: "a"), command(["reply", "-"], input: "b"),
            ])
    }

    @Test func aLineGoesOnAfterAnOpenQuoteOrABackslash() throws {
        #expect(
            try statements("reply 'one", "two'; next") == [
                command(["reply", "one\ntwo"]), command(["next"]),
            ])
        #expect(try statements("show 1 \\", "2") == [command(["show", "1", "2"])])
        #expect(
            try statements("inbox | sed 's/a/", "b/'") == [
                command(["inbox"], .pipe("sed 's/a/\nb/'"))
            ])
        var reader = LineReader()
        _ = try reader.take("reply 'one")
        #expect(reader.wait == .rest)
        reader.reset()
        #expect(try reader.take("inbox") == [command(["inbox"])])
    }

    @Test(arguments: [
        ("| cat", LineError.missingCommand(before: "|")), ("> f", .missingCommand(before: ">")),
        ("inbox |", .missingShellCommand), ("inbox | ; next", .missingShellCommand),
        ("inbox >", .missingFile), ("inbox > ; next", .missingFile), ("inbox > ''", .missingFile),
        ("inbox > a > b", .twoOutputs), ("inbox > a | cat", .twoOutputs),
        ("inbox > a b", .textAfterFile("b")), ("<<", .missingCommand(before: "<<")),
        ("reply << <<", .twoInputs), ("reply 'a", .unclosedQuote),
        ("reply <<", .unclosedText(end: ".")), ("reply <<END", .unclosedText(end: "END")),
    ])
    func whatIsWrongIsSaid(line: String, error: LineError) {
        #expect(throws: error) { try statements(line) }
    }
}
