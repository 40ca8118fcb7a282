import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// `--jsonl` prints what `--json` does, one object a line.
@Suite struct JSONLinesTests {
    @Test(arguments: [
        ["inbox"], ["inbox", "--fields", "id,from"], ["sent"], ["show", "1", "2"],
        ["mark-read", "1", "2"],
    ])
    func aListIsOneObjectALine(_ line: [String]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        for text in ["one", "two"] {
            _ = try await CommandLine(host, as: "alice").send("@alice@example.com", text)
        }
        let alice = CommandLine(host, as: "alice")
        let lines = await alice.run(line + ["--jsonl"])
        let array = try await alice.run(line + ["--json"]).json.array
        #expect(lines.exitCode == .done && lines.lines.count == 2)
        #expect(try lines.lines.map { try JSON.read($0) } == array)
    }

    @Test func listsOfWhatIsNoMessageToo() async throws {
        let host = try TestHost { $0.clock = { CommandLine.now } }
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        for agent in ["a", "b"] {
            _ = await alice.run("sub-account", "create", agent, "--allow", "::/0")
        }
        let lines = await alice.run("sub-account", "list", "--jsonl", "--fields", "agent")
        #expect(lines.lines == [#"{"agent":"a"}"#, #"{"agent":"b"}"#])
    }
}
