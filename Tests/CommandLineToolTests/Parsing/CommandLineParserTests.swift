import Testing

@testable import CommandLineTool

typealias Sample = SampleProgram

/// Parses a line whose words are parted by spaces, and expects a built-in command.
func invocation(_ line: String) throws -> Invocation {
    try invocation(line.split(separator: " ").map(String.init))
}

func invocation(_ arguments: [String]) throws -> Invocation {
    guard case .run(let invocation) = try Sample.parser.parse(arguments) else {
        throw UsageError("no command is run")
    }
    return invocation
}

struct CommandLineParserTests {
    @Test func optionsReadAsTheirTypes() throws {
        let given = try invocation("inbox -u --limit 5 --from=@a@b.c --color never --fields id,to")
        #expect(given.command.name == "inbox")
        #expect(given[Sample.unread])
        #expect(given[Sample.limit] == 5)
        #expect(given[Sample.from] == "@a@b.c")
        #expect(given[Sample.color] == .never)
        #expect(given[Sample.fields] == ["id", "to"])

        let bare = try invocation("inbox")
        #expect(!bare[Sample.unread])
        #expect(bare[Sample.limit] == 20)
        #expect(bare[Sample.from] == nil)
        #expect(bare[Sample.color] == .auto)
        #expect(bare[Sample.allow].isEmpty)
        #expect(!bare.isGiven(Sample.limit))
    }

    @Test(arguments: [
        "--json --profile work show 12", "show --json 12 --profile work",
        "show 12 --profile=work --json", "--profile work show --json -- 12",
    ])
    func globalOptionsStandAnywhere(_ line: String) throws {
        let given = try invocation(line)
        #expect(given.command.name == "show")
        #expect(given[Sample.json])
        #expect(given[Sample.profile] == "work")
        #expect(try given[Sample.message] == "12")
    }

    @Test(arguments: [
        ("inbox -n20", 20), ("inbox -n 7", 7), ("inbox -qvn3", 3), ("inbox -n 3 -n 4", 4),
        ("-q inbox -vun 9", 9), ("inbox --limit=8", 8),
    ])
    func lettersAndClusters(_ line: String, _ limit: Int) throws {
        #expect(try invocation(line)[Sample.limit] == limit)
    }

    @Test func repeatableOptionsKeepTheirOrder() throws {
        let given = try invocation("inbox --allow b --from x --allow a --allow=b")
        #expect(given[Sample.allow] == ["b", "a", "b"])
        #expect(given.occurrences.map(\.long) == ["allow", "from", "allow", "allow"])
    }

    @Test func aValueMayBeLeftOutWhereDeclared() throws {
        #expect(try invocation("inbox")[Sample.wait] == .absent)
        #expect(try invocation("inbox --wait")[Sample.wait] == .bare)
        #expect(try invocation("inbox --wait=2.5")[Sample.wait] == .value(2.5))
        #expect(try invocation("inbox -w3")[Sample.wait] == .value(3))
        #expect(throws: UsageError.self) { try invocation("inbox --wait 3") }
    }

    @Test func negativeNumbersAreReferencesWhereOneIsExpected() throws {
        #expect(try invocation("show -1")[Sample.message] == "-1")
        #expect(try invocation("show --unread -12 -q")[Sample.message] == "-12")
        #expect(throws: UsageError.self) { try invocation("send -1") }
        #expect(try invocation("send -- -1")[Sample.words] == ["-1"])
        #expect(throws: UsageError.self) { try invocation("show -1x") }
    }

    @Test func dashesAndEmptyWordsAreOperands() throws {
        let given = try invocation(["send", "-", "", "--", "--json", "--", "-q"])
        #expect(try given[Sample.words] == ["-", "", "--json", "--", "-q"])
        #expect(!given[Sample.json])
    }

    @Test func operandsGetTheirShare() throws {
        let marks = try invocation("mark-read 1 2 3")
        #expect(try marks[Sample.messages] == ["1", "2"])
        #expect(try marks[Sample.number] == 3)
        #expect(try invocation("react 1")[Sample.emoji] == nil)
        #expect(try invocation("react 1 x")[Sample.emoji] == "x")
    }

    @Test func namesOfSeveralWords() throws {
        #expect(try invocation("draft").command.name == "draft")
        #expect(try invocation("-q draft --json create x").command.name == "draft create")
        #expect(try invocation("draft create create")[Sample.words] == ["create"])
    }

    @Test func helpAndVersionNeedNothingElse() throws {
        func help(_ line: String) throws -> String? {
            let request = try Sample.parser.parse(line.split(separator: " ").map(String.init))
            guard case .help(let command, let isWhole) = request else { return nil }
            return command.joined(separator: " ") + (isWhole ? " whole" : " brief")
        }
        #expect(try help("") == " brief")
        #expect(try help("--help") == " whole")
        #expect(try help("show -h") == "show brief")
        #expect(try help("show --json --help --nonsense") == "show whole")
        #expect(try help("--help draft create x") == "draft create whole")
        #expect(try help("grant --help") == "grant whole")
        #expect(try help("-qh") == " brief")
        guard case .version = try Sample.parser.parse(["--version"]) else {
            Issue.record("no version")
            return
        }
    }
}
