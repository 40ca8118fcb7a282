import Testing

@testable import CommandLineTool

struct HelpPageTests {
    func render(_ path: String, isWhole: Bool = false, width: Int = 60) throws -> String {
        try HelpPage(Sample.parser, about: "fmsg sends and reads messages.", width: width)
            .render(path.split(separator: " ").map(String.init), isWhole: isWhole)
    }

    @Test func overviewByGroup() throws {
        let expected = """
            fmsg sends and reads messages.

            Usage:
              fmsg [global options] COMMAND [options] [operands]

            Read:
              inbox         List received messages
              show          Show one message

            Write:
              react         React to a message
              mark-read     Mark messages read
              send          Send a message
              draft         Show the drafts
              draft create  Make a draft

            Grants:
              grant show    Show a grant

            Host:
              host          Run a host

            Topics:
              colours       When colour is used

            Global options:
                  --json          Print JSON
              -q, --quiet         Say nothing but errors
              -v, --verbose       Say more
                  --profile NAME  Use a profile
                  --fields A,B    Pick fields
                  --color WHEN    When to colour (auto, always or never;
                                  default auto)
              -h, --help          Show help
                  --version       Show the version

            See also: fmsg help COMMAND or TOPIC

            """
        #expect(try render("") == expected)
    }

    @Test func briefPage() throws {
        let expected = """
            List received messages

            Usage:
              fmsg inbox [options]

            Examples:
              fmsg inbox --unread
                  what was not read yet

            Options:
              -u, --unread          Only what is unread
              -n, --limit N         How many to show (1 to 1000; default
                                    20)
                  --from ADDRESS    Only from there
                  --allow PATTERN   Answer these (repeatable)
              -w, --wait[=SECONDS]  Wait for one to come

            See also: fmsg inbox --help

            """
        #expect(try render("inbox") == expected)
    }

    @Test func wholePageOnANarrowTerminal() throws {
        let expected = """
            List received
            messages

            Usage:
              fmsg inbox
                  [options]

            Examples:
              fmsg inbox --unread
                  what was not
                  read yet

            Newest first. Drafts
            are not shown.

            Options:
              -u, --unread
                  Only what is
                  unread
              -n, --limit N
                  How many to
                  show (1 to
                  1000; default
                  20)
              --from ADDRESS
                  Only from
                  there
              --allow PATTERN
                  Answer these
                  (repeatable)
              -w, --wait[=SECONDS]
                  Wait for one
                  to come

            """
        let page = try render("inbox", isWhole: true, width: 20)
        #expect(page.hasPrefix(expected))
    }

    @Test func wholePage() throws {
        let page = try render("inbox", isWhole: true)
        let end = """

            Output with --json:
              [{"id","time","from"}]

            Exit codes:
               0  done, and the host confirmed it
               1  failed, for none of the other reasons
               2  nothing came before the time ran out
               6  host unreachable or failing
              64  the command line is wrong

            """
        #expect(page.hasSuffix(end))
    }

    @Test func aTopic() throws {
        let expected = """
            When colour is used

            On a terminal, unless NO_COLOR is set.

              auto  as said
              0     not a number

            Otherwise:
            Never.

              fmsg inbox --color always
                  with colour all the same

            """
        #expect(try render("colours") == expected)
        #expect(Sample.colours.examples.map(\.command) == ["fmsg inbox --color always"])
    }

    @Test(arguments: [
        (
            "inbox extra", "inbox has nothing below it that is named \"extra\"",
            "see: fmsg help inbox"
        ),
        ("colours x", "colours has nothing below it that is named \"x\"", "see: fmsg help colours"),
        ("colour", "unknown command or topic: colour", "did you mean colours?"),
        ("inbux", "unknown command or topic: inbux", "did you mean inbox?"),
        ("draft creat", "unknown command: draft creat", "did you mean draft create?"),
    ])
    func whatHasNoPageIsNamed(_ path: String, _ message: String, _ hint: String) {
        let error = #expect(throws: UsageError.self) { try render(path) }
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    @Test func commandsUnderACommandAreListed() throws {
        #expect(try render("draft").contains("Commands:\n  draft create  Make a draft\n"))
        #expect(try render("grant") == "Commands:\n  grant show  Show a grant\n")
        #expect(throws: UsageError.self) { try render("nonsense") }
    }

    @Test func noLineEndsInASpaceOrIsTooLong() throws {
        for width in [0, 20, 40, 57, 80, 300] {
            for path in [""] + Sample.parser.commands.map(\.name) {
                let page = try render(path, isWhole: true, width: width)
                for line in page.split(separator: "\n") {
                    #expect(line.last != " ")
                    // What is to be copied, or has no space to break it at, stays whole.
                    let isWhole = line.hasPrefix("  fmsg") || line.hasPrefix("  -")
                    let isWord = !line.drop { $0 == " " }.contains(" ")
                    #expect(line.count <= max(width, 20) || isWhole || isWord, "\(line)")
                }
            }
        }
    }

    @Test func headingsAreBoldWhereWanted() throws {
        let page = HelpPage(Sample.parser, about: "x", width: 80, style: Style(isOn: true))
        let text = try page.render(["show"], isWhole: false)
        #expect(text.contains("\u{1B}[1mUsage:\u{1B}[0m\n"))
    }

    @Test func theSampleHasNoFaultsAndFaultsAreFound() {
        #expect(Sample.parser.declarationFaults.isEmpty)
        let twice = Option.flag("json", short: "q", "A second one")
        let long = String(repeating: "x", count: 60)
        let bad = CommandDeclaration(
            "bad", group: .read, summary: long, options: [twice],
            operands: [
                Sample.messages,
                Operand.repeated("MESSAGE", .text(), "a sentence."),
            ], alike: ["bad"], endlessUnless: [Option.flag("never", "x")])
        let parser = CommandLineParser(
            program: "fmsg", commands: [bad, bad], globalOptions: [Sample.json, Sample.quiet],
            help: Sample.help, topics: [HelpTopic("bad", summary: "") { [] }])
        let once = [
            "bad: a summary has 1 to 59 characters and no full stop", "bad: no example",
            "bad: bad is a command of its own",
            "bad: --never should end it and is not declared",
            "bad: --json is declared twice", "bad: -q is declared twice",
            "bad: two repeated operands", "bad: the summary of MESSAGE ends in a full stop",
            "bad: two operands of one name",
        ]
        let ofTopic = [
            "bad: a command and a topic", "bad: a summary has 1 to 59 characters and no full stop",
        ]
        #expect(parser.declarationFaults == once + ["bad: declared twice"] + once + ofTopic)
    }
}
