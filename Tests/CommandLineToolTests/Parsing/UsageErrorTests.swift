import Testing

@testable import CommandLineTool

struct UsageErrorTests {
    /// A line, the whole message, and the hint.
    static let cases: [(arguments: [String], message: String, hint: String?)] = [
        (
            ["frobnicate"], "unknown command: frobnicate",
            "one of: inbox, show, react, mark-read, send, draft, grant, host"
        ),
        (["inbx"], "unknown command: inbx", "did you mean inbox?"),
        (["shwo", "12"], "unknown command: shwo", "did you mean show?"),
        (["grant", "shwo"], "unknown command: grant shwo", "did you mean grant show?"),
        (["grant", "xyzzy"], "unknown command: grant xyzzy", "one of: show"),
        (["grant"], "grant is not a whole command", "one of: show"),
        (["--json"], "no command was given", "see: fmsg --help"),
        (["inbox", "--unraed"], "unknown option: --unraed", "did you mean --unread?"),
        (["inbox", "--xyzzy=1"], "unknown option: --xyzzy", nil),
        (["inbox", "-x"], "unknown option: -x", nil),
        (["inbox", "-unread"], "-n \"read\": expected a whole number from 1 to 1000", nil),
        (["inbox", "-json"], "unknown option: -j", "did you mean --json?"),
        (["inbox", "--json=1"], "--json takes no value", nil),
        (["inbox", "--limit"], "--limit needs a value: --limit N", nil),
        (["inbox", "-qn"], "-n needs a value: -n N", nil),
        (["inbox", "-n0"], "-n \"0\": expected a whole number from 1 to 1000", nil),
        (["inbox", "-n", "1001"], "-n \"1001\": expected a whole number from 1 to 1000", nil),
        (
            ["inbox", "-n", "99999999999999999999"],
            "-n \"99999999999999999999\": expected a whole number from 1 to 1000", nil
        ),
        (["inbox", "--limit="], "--limit \"\": expected a whole number from 1 to 1000", nil),
        (["inbox", "-n+5"], "-n \"+5\": expected a whole number from 1 to 1000", nil),
        (["inbox", "--wait=nan"], "--wait \"nan\": expected a number of seconds", nil),
        (["inbox", "--wait=1e3"], "--wait \"1e3\": expected a number of seconds", nil),
        (
            ["inbox", "--color", "red"], "--color \"red\": expected auto, always or never", nil
        ),
        (["inbox", "--fields", "a,,b"], "--fields \"a,,b\": expected names parted by commas", nil),
        (["inbox", "x"], "inbox: unexpected operand \"x\"", "usage: fmsg inbox [options]"),
        (
            ["show"], "show needs MESSAGE: the message to show",
            "usage: fmsg show [options] MESSAGE"
        ),
        (
            ["mark-read", "1"], "mark-read needs NUMBER: a digit",
            "usage: fmsg mark-read MESSAGE... NUMBER"
        ),
        (
            ["mark-read", "1", "x"], "NUMBER \"x\": expected a whole number from 0 to 9", nil
        ),
        (
            ["react", "1", "a", "b"], "react: unexpected operand \"b\"",
            "usage: fmsg react MESSAGE [EMOJI]"
        ),
        (
            ["\u{1B}]0;x\u{07}\u{202E}"], "unknown command: \\x1b]0;x\\x07\\u202e",
            "one of: inbox, show, react, mark-read, send, draft, grant, host"
        ),
        (["host"], "fmsg-host is not installed", "it is looked for beside fmsg and on PATH"),
        (["draft", "--nope"], "unknown option: --nope", nil),
    ]

    @Test(arguments: cases.indices)
    func messagesNameWhatIsWrong(_ index: Int) {
        let (arguments, message, hint) = Self.cases[index]
        let error = #expect(throws: UsageError.self) { try Sample.parser.parse(arguments) }
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    @Test func hostileLinesNeverTrap() {
        let long = String(repeating: "a", count: 5000)
        let pieces = [
            "", "-", "--", "---", "-=", "--=", "--=x", "-\u{301}", "--\u{301}json", "--json\u{301}",
            "\0", "-\0", "-n", "-n=", "-9", "-99999999999999999999999", "--limit=-1", "draft",
            "create", "grant", "\u{FEFF}inbox", "inbox", "show", long, "-" + long, "--" + long,
            "--\(long)=\(long)", "👍🏽", "-👍🏽",
        ]
        for first in pieces {
            for second in pieces {
                for line in [[first, second], ["inbox", first, second], ["show", first, second]] {
                    do {
                        _ = try Sample.parser.parse(line)
                    } catch {
                        #expect(!error.message.isEmpty)
                        #expect(error.message.utf8.count < 400)
                    }
                }
            }
        }
    }

    @Test func theCommandIsKnown() {
        let error = #expect(throws: UsageError.self) {
            try Sample.parser.parse(["draft", "create", "--limit", "1"])
        }
        #expect(error?.command == ["draft", "create"])
    }

    @Test func mentionsIgnoresWhatFollowsTheEndOfOptions() {
        #expect(Sample.parser.mentions(Sample.json, in: ["nonsense", "--json"]))
        #expect(!Sample.parser.mentions(Sample.json, in: ["send", "--", "--json"]))
    }
}
