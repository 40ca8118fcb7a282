import CommandLineTool
import FmsgCore
import FmsgHost
import Glibc
import TestSupport
import Testing

/// The prompt on a real terminal, over a real host.
@Suite(.timeLimit(.minutes(2)))
struct PromptTests {
    let host: TestHost
    let bob: PromptLine

    init() throws {
        host = try TestHost()
        bob = PromptLine(host, as: "bob")
    }

    private func terminal(
        columns: Int = 80, _ environment: [String: String] = [:], arguments: [String] = [],
        state: String? = nil
    ) async throws -> ReplTerminal {
        let terminal = try ReplTerminal(
            host, as: "alice", environment: environment, columns: columns, arguments: arguments,
            state: state)
        try await terminal.waitForPrompt()
        return terminal
    }

    /// Nothing is sent that nobody typed.
    @Test func whatIsNotUTF8IsNotSent() async throws {
        let terminal = try await terminal()
        let row = terminal.screen.cursor.row
        try terminal.type([UInt8]("send @bob@example.com a".utf8) + [0xFF, 0xFE, 0x62, 0x0D])
        try await terminal.waitForPrompt(below: row)
        #expect(terminal.screen.lines.contains { $0.contains("not valid UTF-8") })
        try await terminal.enter("sent | wc -l")
        #expect(terminal.screen.lines.contains("0"))
    }

    @Test func commandsRunAndCtrlDLeaves() async throws {
        let terminal = try await terminal()
        try await terminal.enter("send @bob@example.com 'Noodles?'")
        #expect(terminal.screen.lines.contains("sent 1 to @bob@example.com"))
        try await terminal.enter("foo")
        #expect(terminal.screen.lines.contains { $0.hasPrefix("fmsg: unknown command: foo") })
        try terminal.type("\u{4}")
        #expect(await terminal.exitStatus() == 0)
    }

    // MARK: Notices

    @Test func aHalfTypedLineSurvivesNotices() async throws {
        let terminal = try await terminal()
        try terminal.type("send @bob@example.com 'one 寿司 👍")
        try await terminal.wait { $0.line.hasSuffix("👍") }
        // The cursor stands in the middle of the line.
        try terminal.type("\u{1B}[D\u{1B}[D")
        try await terminal.wait { $0.cursor.column == 51 }
        _ = try await bob.output("send @alice@example.com 'Hi 寿司 🍣' -t 'Tea 🍵'")
        try await terminal.wait(for: "[1] @bob@example.com  Tea 🍵  Hi 寿司 🍣")
        try await terminal.wait {
            $0.line == "@alice@example.com (1)> send @bob@example.com 'one 寿司 👍"
        }
        try terminal.type("two ")
        try await terminal.wait { $0.line.contains("two ") }
        try await terminal.enter("\u{5}'")
        #expect(try await bob.output("inbox --fields preview") == "one 寿司two  👍\n")
    }

    @Test func aSearchInTheHistoryIsLeftAlone() async throws {
        let terminal = try await terminal()
        try await terminal.enter("whoami")
        try terminal.type("\u{12}who")
        try await terminal.wait { $0.line.contains("`who': whoami") }
        _ = try await bob.output("send @alice@example.com Hi")
        try terminal.type("\u{12}")
        try await terminal.wait { $0.line.contains("reverse-i-search") }
        try terminal.type("\u{7}")
        try await terminal.wait(for: "[1] @bob@example.com  Hi")
        try await terminal.wait { $0.line == "@alice@example.com (1)> " }
    }

    @Test(arguments: [20, 300])
    func noticesAndPromptFitTheWindow(columns: Int) async throws {
        let terminal = try await terminal(columns: columns)
        let text = String(repeating: "寿司 and noodles ", count: 30)
        _ = try await bob.output("send @alice@example.com '\(text)' -t Lunch")
        try await terminal.wait { $0.line.contains("(1)") }
        try await terminal.wait(for: "[1] @bob@example.")
        let notice = terminal.screen.lines.first { $0.hasPrefix("[1]") } ?? ""
        #expect(DisplayText.width(notice) <= columns && DisplayText.width(notice) >= columns - 1)
        #expect(DisplayText.width(terminal.screen.line) <= columns / 2)
        try await terminal.enter("open 1")
        #expect(terminal.screen.line.contains("#1"))
        #expect(DisplayText.width(terminal.screen.line) <= columns / 2)
    }

    @Test func whatAStrangerWroteIsShownEscaped() async throws {
        let terminal = try await terminal()
        _ = try await bob.output(
            "send @alice@example.com 'a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}b\u{1}' -t '\u{1B}[2J\u{1}t'"
        )
        try await terminal.wait(
            for: #"[1] @bob@example.com  \x1b[2J\x01t  a\x1b]0;x\x07\x9b31m\u202eb"#)
        #expect(terminal.screen.bells == 0)
        try await terminal.enter("open 1")
        #expect(terminal.screen.line.hasPrefix(#"@alice@example.com #1 \x1b[2J"#))
        #expect(!String(decoding: terminal.sent, as: UTF8.self).contains("\u{1B}[2J"))
    }

    @Test func reactionsAndFailedDeliveriesAreTold() async throws {
        let terminal = try await terminal()
        try await terminal.enter("send @bob@example.com Hi")
        _ = try await bob.output("react 1 👍")
        try await terminal.wait(for: "[1] 👍 @bob@example.com")
        try await terminal.enter("send @nobody@example.com Hi")
        try await terminal.wait(for: "[3] not delivered to @nobody@example.com: user unknown")
    }

    @Test func noticesAreChosen() async throws {
        let terminal = try await terminal()
        try await terminal.enter("notices mentions --bell")
        _ = try await bob.output(
            "send @alice@example.com 'For all'; send @alice@example.com 'Look, @alice!'")
        try await terminal.wait(for: "[2] @bob@example.com  Look, @alice!")
        try await terminal.wait { $0.line.contains("(2)") }
        #expect(!terminal.screen.lines.contains { $0.hasPrefix("[1]") })
        #expect(terminal.screen.bells == 1)
        try await terminal.enter("notices")
        #expect(terminal.screen.lines.contains("mentions, with a bell"))
    }

    @Test func whatIsUnreadAtTheStartIsCountedAndNotTold() async throws {
        _ = try await bob.output("send @alice@example.com Old; send @alice@example.com Older")
        let terminal = try ReplTerminal(host, as: "alice")
        try await terminal.wait { $0.line == "@alice@example.com (2)> " }
        try await terminal.enter("open -1")
        try await terminal.wait { $0.line == "@alice@example.com (1) #2> " }
        try await terminal.enter("mark-read 1")
        try await terminal.wait { $0.line == "@alice@example.com #2> " }
        #expect(!terminal.screen.lines.contains { $0.hasPrefix("[") })
    }

    // MARK: The window

    @Test(arguments: [0, 30])
    func aResizedWindowIsDrawnRight(back: Int) async throws {
        let terminal = try await terminal()
        try await terminal.enter("whoami")
        let text = "send @bob@example.com 'a line that needs several rows 寿司 when it gets narrow"
        try terminal.type(text + String(repeating: "\u{2}", count: back))
        try await terminal.wait { $0.line.hasSuffix(text) }
        for columns in [40, 21, 57, 120, 30] {
            terminal.resize(columns: columns)
            try await terminal.wait { screen in
                screen.line.hasSuffix("> " + text) && screen.cursor.column < columns
            }
            let above = terminal.screen.lines.prefix { !$0.hasPrefix("@alice@example.com at") }
            let below = terminal.screen.lines.dropFirst(above.count).joined()
            // Nothing stands between the last output and the one line.
            #expect(below.components(of: "send @bob").count == 2, "\(columns): \(below)")
        }
    }

    @Test func aLongPasteIsOneText() async throws {
        let terminal = try await terminal()
        let text = String(repeating: "Lorem ipsum dolor.\n", count: 527) + "寿司 end"
        #expect(text.utf8.count > 10_000)
        try terminal.type("\u{1B}[200~send @bob@example.com '\(text)\u{1B}[201~")
        // readline shows no more of it than the window has rows.
        try await terminal.wait { $0.line.contains("寿司 end") }
        try await terminal.enter("'")
        let received = try await bob.output("show 1 --json")
        #expect(try JSON.read(received).object?["body"]?.object?["text"]?.string == text)
    }

    // MARK: Keys and signals

    @Test func ctrlCEndsTheCommandAndNotThePrompt() async throws {
        let terminal = try await terminal()
        try terminal.type("watch\r")
        try await terminal.wait(for: "fmsg: watching as @alice@example.com")
        try terminal.type("\u{3}")
        try await terminal.wait(for: "fmsg: interrupted")
        try await terminal.waitForPrompt()
        #expect(terminal.screen.lines.contains("^C"))
        try terminal.type("send @bob@example.com never")
        try await terminal.wait { $0.line.hasSuffix("never") }
        try terminal.type("\u{3}")
        try await terminal.wait(for: "never^C")
        try await terminal.waitForPrompt()
        try terminal.type("send @bob@example.com 'never\r")
        try await terminal.wait { $0.line == "> " }
        try terminal.type("\u{3}")
        try await terminal.waitForPrompt()
        try await terminal.enter("!sleep 1000 & exec sleep 0")
        #expect(try await bob.output("inbox") == "")
    }

    @Test func aClosedWindowLeavesNothingBehind() async throws {
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        let terminal = try await terminal(state: state.path)
        try await terminal.enter("whoami")
        try terminal.type("!echo started; exec sleep 1000\r")
        try await terminal.wait { $0.lines.contains("started") }
        terminal.hangUp()
        let status = await terminal.exitStatus()
        #expect(status == 129)
        let names = try LocalFileSystem().list(state.path)
        #expect(names.count == 1)
        let bytes = try LocalFileSystem().read("\(state.path)/\(names[0])", limit: 1 << 16)
        #expect(
            String(decoding: bytes, as: UTF8.self) == "whoami\n!echo started; exec sleep 1000\n")
    }

    @Test func aSignalToEndSavesTheHistory() async throws {
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        let terminal = try await terminal(state: state.path)
        try await terminal.enter("whoami")
        try terminal.type("half typed")
        try await terminal.wait { $0.line.hasSuffix("typed") }
        terminal.send(SIGTERM)
        #expect(await terminal.exitStatus() == 143)
        #expect(try LocalFileSystem().list(state.path).count == 1)
    }

    @Test func suspendedAndResumedTheLineIsBack() async throws {
        let terminal = try ReplTerminal(
            host, as: "alice", environment: ["PS1": "shell$ "],
            shell: "set -m; fmsg-repl; echo stopped; fg >/dev/null; echo left $?")
        try await terminal.waitForPrompt()
        try terminal.type("send @bob@example.com half")
        try await terminal.wait { $0.line.hasSuffix("half") }
        try terminal.type("\u{1A}")
        try await terminal.wait(for: "stopped")
        try await terminal.wait { $0.line == "@alice@example.com> send @bob@example.com half" }
        try await terminal.enter(" \u{8}")
        #expect(try await bob.output("inbox --fields preview") == "half\n")
        try terminal.type("exit\r")
        try await terminal.wait(for: "left 0")
    }

    @Test func theEditorGivesCommandAndText() async throws {
        let terminal = try await terminal(
            columns: 200,
            [
                "EDITOR": "f() { printf 'Dear Bob,\\n\\nyes.\\n' >> \"$1\"; }; f"
            ])
        try terminal.type("send @bob@example.com\u{18}\u{5}")
        try await terminal.wait(for: "sent 1 to @bob@example.com")
        #expect(try await bob.output("inbox --fields preview") == "Dear Bob,\\n\\nyes.\n")
        try await terminal.waitForPrompt()
        let row = terminal.screen.cursor.row
        try terminal.type("send @bob\u{18}\u{5}")
        try await terminal.waitForPrompt(below: row + 1)
        let kept = terminal.screen.lines.first { $0.contains("the text is in ") } ?? ""
        let path = String(kept.split(separator: " ").last ?? "")
        let bytes = try LocalFileSystem().read(path, limit: 1000)
        #expect(String(decoding: bytes, as: UTF8.self) == "send @bob\nDear Bob,\n\nyes.\n")
        #expect(try LocalFileSystem().status(path)?.permissions == 0o600)
    }

    @Test func anInputrcIsHonoured() async throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-inputrc")
        defer { folder.remove() }
        let path = folder.path + "/inputrc"
        let lines = "set editing-mode vi\n$if fmsg\n\"\\C-t\": \"whoami\"\n$endif\n"
        try LocalFileSystem().writeAtomically(path, Array(lines.utf8), mode: 0o600)
        let terminal = try await terminal(["INPUTRC": path])
        try terminal.type("\u{14}xx")
        try await terminal.wait { $0.line.hasSuffix("> whoamixx") }
        // Only an escape that stands alone leaves the insertion.
        try terminal.type("\u{1B}")
        try await terminal.wait { $0.cursor.column == 28 }
        try await terminal.enter("xx")
        #expect(terminal.screen.lines.contains { $0.hasPrefix("@alice@example.com at http") })
    }

    @Test func aWordIsCompleted() async throws {
        _ = try await bob.output("send @alice@example.com Hi -t 'Tea $(x)'")
        let terminal = try await terminal()
        try terminal.type("ope\t1")
        try await terminal.wait { $0.line.hasSuffix("> open 1") }
        try await terminal.enter("")
        try terminal.type("send @b\t--t\t\t")
        try await terminal.wait(for: "--topic     The topic of the thread")
        try await terminal.wait { $0.line.hasSuffix("> send @bob@example.com --t") }
    }

    // MARK: History

    @Test func theHistoryIsOnesOwnAndHoldsNoSecret() async throws {
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        let first = try await terminal(state: state.path)
        for line in ["whoami", "inbox -n 1", " sent", "whoami", "foo fmsgk_secret", "login x"] {
            try await first.enter(line)
        }
        try first.type("exit\r")
        #expect(await first.exitStatus() == 0)
        let path = try "\(state.path)/\(LocalFileSystem().list(state.path)[0])"
        let text = String(decoding: try LocalFileSystem().read(path, limit: 1000), as: UTF8.self)
        #expect(text == "inbox -n 1\nwhoami\nexit\n")
        #expect(try LocalFileSystem().status(path)?.permissions == 0o600)
        let second = try await terminal(state: state.path)
        try second.type("\u{1B}[A\u{1B}[A")
        try await second.wait { $0.line.hasSuffix("> whoami") }
        let other = try ReplTerminal(host, as: "bob", state: state.path)
        try await other.waitForPrompt()
        try await other.enter("\u{1B}[Asent")
        #expect(other.screen.lines.contains { $0.hasSuffix("> sent") })
    }

    @Test func aHistoryThatCannotBeUsedStopsNothing() async throws {
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        let first = try await terminal(state: state.path)
        try await first.enter("whoami")
        try first.type("exit\r")
        _ = await first.exitStatus()
        let files = LocalFileSystem()
        let path = try "\(state.path)/\(files.list(state.path)[0])"
        try files.writeAtomically(
            path, Array("inbox\n".utf8) + [0xFF, 0x00, 0x1B, 0x0A] + Array("sent\n".utf8),
            mode: 0o600)
        let damaged = try await terminal(state: state.path)
        try damaged.type("\u{1B}[A\u{1B}[A")
        try await damaged.wait { $0.line.hasSuffix("> inbox") }
        try await damaged.enter("")
        try damaged.type("\u{4}")
        #expect(await damaged.exitStatus() == 0)
        try files.remove(path)
        try files.createFolder(path)
        let unusable = try await terminal(state: state.path)
        try await unusable.enter("whoami")
        try unusable.type("\u{4}")
        #expect(await unusable.exitStatus() == 0)
        #expect(
            unusable.screen.lines.contains { $0.hasPrefix("the history is not kept: cannot read") })
    }
}

extension String {
    /// The parts between occurrences of a text.
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
