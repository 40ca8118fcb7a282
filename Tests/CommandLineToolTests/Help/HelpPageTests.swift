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

            See also: fmsg COMMAND --help

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
            List received messages

            Usage:
              fmsg inbox [options]

            Examples:
              fmsg inbox --unread
                  what was not read yet

            Newest first. Drafts are not shown.

            Options:
              -u, --unread      Only what is unread
              -n, --limit N     How many to show (1
                                to 1000; default 20)
                  --from ADDRESS
                                Only from there
                  --allow PATTERN
                                Answer these
                                (repeatable)
              -w, --wait[=SECONDS]
                                Wait for one to come

            """
        let page = try render("inbox", isWhole: true, width: 20)
        #expect(page.hasPrefix(expected))
        let end = """

            Output with --json:
              [{"id","time","from"}]

            Exit codes:
                0  done, and the host confirmed it
                1  failed, for none of the other
                   reasons
                2  nothing came before the time ran
                   out
                6  host unreachable or failing
               64  the command line is wrong

            """
        #expect(page.hasSuffix(end))
    }

    @Test func commandsUnderACommandAreListed() throws {
        #expect(try render("draft").contains("Commands:\n  draft create  Make a draft\n"))
        #expect(try render("grant") == "Commands:\n  grant show  Show a grant\n")
        #expect(throws: UsageError.self) { try render("nonsense") }
    }

    @Test func noLineEndsInASpaceOrIsTooLong() throws {
        for width in [0, 40, 57, 80, 300] {
            for path in [""] + Sample.parser.commands.map(\.name) {
                for line in try render(path, isWhole: true, width: width).split(separator: "\n") {
                    #expect(line.last != " ")
                    #expect(line.count <= max(width, 54))
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
            operands: [Sample.messages, Sample.messages])
        let parser = CommandLineParser(
            program: "fmsg", commands: [bad, bad], globalOptions: [Sample.json, Sample.quiet],
            help: Sample.help)
        let once = [
            "bad: a summary has 1 to 59 characters and no full stop", "bad: no example",
            "bad: --json is declared twice", "bad: -q is declared twice",
            "bad: two repeated operands", "bad: two operands of one name",
        ]
        #expect(parser.declarationFaults == once + ["bad: declared twice"] + once)
    }
}
