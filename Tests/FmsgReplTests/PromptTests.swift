import CommandLineTool
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
        columns: Int = 80, _ environment: [String: String] = [:], arguments: [String] = []
    ) async throws -> ReplTerminal {
        let terminal = try ReplTerminal(
            host, as: "alice", environment: environment, columns: columns, arguments: arguments)
        try await terminal.wait { $0.line == "@alice@example.com> " || $0.line == "@alice> " }
        return terminal
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

    @Test func aHalfTypedLineSurvivesNotices() async throws {
        let terminal = try await terminal()
        try terminal.type("send @bob@example.com 'one 寿司 👍")
        try await terminal.wait { $0.line.hasSuffix("👍") }
        // The cursor stands in the middle of the line.
        try terminal.type("\u{1B}[D\u{1B}[D")
        try await terminal.wait { $0.cursor.column == 53 }
        _ = try await bob.output("send @alice@example.com 'Hi 寿司 🍣' -t 'Tea 🍵'")
        try await terminal.wait(for: "[1] @bob@example.com  Tea 🍵  Hi 寿司 🍣")
        try await terminal.wait {
            $0.line == "@alice@example.com (1)> send @bob@example.com 'one 寿司 👍"
        }
        try terminal.type("two ")
        try await terminal.wait { $0.line.contains("two ") }
        try await terminal.enter("\u{5}'")
        let received = try await bob.output("inbox --fields preview")
        #expect(received == "one 寿司two  👍\n")
    }
}
