import CommandLineTool
import FmsgCore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The output contract: what each command prints on a terminal, in a pipe and as JSON, to the
/// letter. The files stand in `Golden/`; run with `FMSG_UPDATE_GOLDEN=1` after a change that is
/// meant, and read the difference before it is committed.
@Suite struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden")

    /// The lines that are run, each by its name; every one of them by Bob.
    static let lines: [(name: String, line: [String])] = [
        ("whoami", ["whoami"]), ("inbox", ["inbox"]), ("inbox-unread", ["inbox", "--unread"]),
        ("inbox-reactions", ["inbox", "--reactions"]), ("inbox-empty", ["inbox", "--topic", "zz"]),
        ("sent", ["sent"]), ("sent-drafts", ["sent", "--drafts"]), ("show", ["show", "1"]),
        ("show-several", ["show", "1", "2"]), ("thread", ["thread", "2"]),
        ("thread-turns", ["thread", "2", "--turns"]),
        ("thread-reactions", ["thread", "2", "--reactions"]),
        ("thread-tree", ["thread", "1", "--tree"]),
        ("thread-partly-visible", ["thread", "6"]),
        ("send", ["send", "@alice@example.com", "Hi", "--topic", "T"]),
        ("send-dry-run", ["send", "@alice@example.com", "Hi", "--dry-run", "--important"]),
        ("reply", ["reply", "1", "Yes."]), ("reply-all", ["reply-all", "1", "Yes."]),
        ("react", ["react", "1", "👍"]), ("react-clear", ["react", "1", "--clear"]),
        ("mark-read", ["mark-read", "1", "2"]),
        ("not-found", ["show", "999"]), ("usage", ["show"]),
        ("refused", ["react", "1", "two"]),
    ]

    /// What Bob finds: a thread of three people, a reaction, a message that failed, a draft, and
    /// an answer to a message that he cannot see.
    private func conversation() async throws -> TestHost {
        let host = try TestHost { $0.clock = { 1_796_000_000.25 } }
        let alice = CommandLine(host, as: "alice")
        let carol = CommandLine(host, as: "carol")
        _ = try await alice.send(
            "@bob@example.com", "@carol@example.com", "Noodles at noon?\nOr later?", "-t", "Lunch",
            "--important")
        _ = await carol.run("reply-all", "1", "Gladly.")
        _ = await CommandLine(host, as: "bob").run("send", "@nobody@example.com", "Anyone?")
        _ = await alice.run("react", "2", "🎉")
        _ = await alice.run("send", "@carol@example.com", "Between us")
        _ = await carol.run("reply", "5", "Bob should know.", "--to", "@bob@example.com")
        _ = try await FmsgClient.of(host, "bob").createDraft(
            NewMessage(to: ["@alice@example.com"], topic: "Draft", text: "not yet"))
        return host
    }

    private func transcript(_ line: [String]) async throws -> String {
        var text = "$ fmsg \(line.joined(separator: " "))\n"
        let forms: [(String, Set<StandardStream>, [String])] = [
            ("on a terminal", [.output], []), ("in a pipe", [], []), ("as JSON", [], ["--json"]),
        ]
        for (form, terminals, options) in forms {
            let host = try await conversation()
            defer { host.stop() }
            var bob = CommandLine(host, as: "bob")
            bob.terminals = terminals
            let run = await bob.run(line + options)
            text += "\n--- \(form): exit \(run.exitCode.rawValue)\n\(run.out)"
            if !run.err.isEmpty { text += "--- stderr\n\(run.err)" }
            text = text.replacing(host.url, with: "https://host.example")
        }
        return text
    }

    @Test(arguments: lines.indices)
    func theOutputIsAsItWas(_ index: Int) async throws {
        let (name, line) = Self.lines[index]
        let text = try await transcript(line)
        let file = Self.folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["FMSG_UPDATE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == golden)
    }
}
