import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

@testable import FmsgCommands

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

    /// The lines that are run, each by its name; these by Bob.
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
        ("mark-read", ["mark-read", "1", "2"]), ("mark-read-all", ["mark-read", "--all"]),
        ("show-delivery", ["show", "1", "3", "--delivery"]),
        ("add-to", ["add-to", "3", "@alice@example.com", "@carol@example.com"]),
        ("send-wait", ["send", "@alice@example.com", "@no@example.com", "Hi", "--wait"]),
        ("body", ["body", "1"]), ("download-none", ["download", "1"]),
        ("draft-create", ["draft", "create", "@alice@example.com", "Later.", "-t", "T"]),
        ("draft-list", ["draft", "list"]), ("draft-show", ["draft", "show", "7"]),
        ("draft-edit", ["draft", "edit", "7", "Now.", "--important"]),
        ("draft-send", ["draft", "send", "7"]), ("draft-delete", ["draft", "delete", "7", "999"]),
        ("draft-detach-none", ["draft", "detach", "7", "none"]),
        ("not-found", ["show", "999"]), ("usage", ["show"]),
        ("refused", ["react", "1", "two"]),
        ("agent", ["agent", "--once", "--exec", "printf Yes", "--allow", "@carol@example.com"]),
        ("agent-dry-run", ["agent", "--once", "--exec", "printf Yes", "--dry-run"]),
        ("watch", ["watch", "--unread", "--once"]),
        ("watch-events", ["watch", "--unread", "--once", "--events", "all"]),
        ("help", ["help", "react"]),
    ]

    /// What Bob's owner's token is for.
    static let ownerLines: [(name: String, line: [String])] = [
        ("sub-account-list", ["sub-account", "list"]),
        ("sub-account-show", ["sub-account", "show", "bot"]),
        ("sub-account-create", ["sub-account", "create", "ci", "--allow", "10.0.0.0/8"]),
        (
            "sub-account-create-profile",
            ["sub-account", "create", "ci", "--allow", "::/0", "--save-profile", "ci"]
        ),
        ("sub-account-allow", ["sub-account", "allow", "bot", "192.0.2.1", "2001:db8::/32"]),
        ("sub-account-rotate-key", ["sub-account", "rotate-key", "bot"]),
        ("sub-account-delete", ["sub-account", "delete", "bot"]),
        ("act-as", ["whoami", "--as", "@bob_bot@example.com"]),
    ]

    /// What is done in a home with the profiles bob, the default, and carol.
    static let homeLines: [(name: String, line: [String])] = [
        ("login", ["login", "-", "--api-url", "URL"]),
        ("profile-add", ["profile", "add", "work", "-", "--api-url", "URL"]),
        ("profile-list", ["profile", "list"]), ("profile-show", ["profile", "show"]),
        ("profile-use", ["profile", "use", "carol"]),
        ("profile-remove", ["profile", "remove", "carol"]), ("logout", ["logout"]),
    ]

    /// What is done with a file; message 8 and draft 7 have one.
    static let fileLines: [(name: String, line: [String])] = [
        ("draft-attach", ["draft", "attach", "7", "FOLDER/notes.txt"]),
        ("draft-detach", ["draft", "detach", "7", "plan.txt"]),
        ("download", ["download", "8", "-o", "FOLDER"]),
    ]

    static let all = lines + ownerLines + homeLines + fileLines

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

    private func transcript(_ name: String, _ line: [String]) async throws -> String {
        var text = "$ fmsg \(line.joined(separator: " "))\n"
        let forms: [(String, Set<StandardStream>, [String])] = [
            ("on a terminal", [.output], []), ("in a pipe", [], []), ("as JSON", [], ["--json"]),
        ]
        for (form, terminals, options) in forms {
            let host = try await conversation()
            defer { host.stop() }
            let home = try TemporaryFolder(prefix: "fmsg-test-home")
            defer { home.remove() }
            var bob = try await commandLine(for: name, host, home)
            bob.terminals = terminals
            host.requests.clear()
            let run = await bob.run(
                line.map { word in
                    word == "URL" ? host.url : word.replacing("FOLDER", with: home.path)
                } + options, input: host.key("alice"))
            expectRoutesNamed(of: line, host)
            text += "\n--- \(form): exit \(run.exitCode.rawValue)\n\(run.out)"
            if !run.err.isEmpty { text += "--- stderr\n\(run.err)" }
            text = try masked(text, host).replacing(home.path, with: "/home/bob")
        }
        return text
    }

    /// Each route that a line has asked for names its command in `docs/routes.md`.
    private func expectRoutesNamed(of line: [String], _ host: TestHost) {
        let words = line.prefix { !$0.hasPrefix("-") }
        let command =
            CommandTable.all.map { $0.declaration.path }.filter { words.starts(with: $0) }
            .max { $0.count < $1.count } ?? []
        for request in host.requests.all {
            let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
            guard let (route, _) = Route.match(method: parts[0], path: parts[1]) else { continue }
            #expect(
                RoutesDocument.ofPackage.names(command, for: route),
                "docs/routes.md: \(route.rawValue) lacks `\(command.joined(separator: " "))`")
        }
    }

    /// The surroundings that a line is made for.
    private func commandLine(
        for name: String, _ host: TestHost, _ home: TemporaryFolder
    ) async throws -> CommandLine {
        if Self.ownerLines.contains(where: { $0.name == name }) {
            let owner = try CommandLine(host, owner: "bob", home: home.path)
            _ = await owner.run("sub-account", "create", "bot", "--allow", "127.0.0.0/8")
            return owner
        }
        if Self.homeLines.contains(where: { $0.name == name }) {
            let line = CommandLine(home: home.path)
            for user in ["bob", "carol"] {
                let add = ["profile", "add", user, "-", "--api-url", host.url]
                _ = await line.run(add, input: host.key(user))
            }
            return line
        }
        var bob = CommandLine(host, as: "bob")
        if Self.fileLines.contains(where: { $0.name == name }) {
            for (file, text) in [("notes", "A note.\n"), ("plan", "A plan.\n"), ("may", "1;2\n")] {
                try LocalFileSystem().writeAtomically(
                    "\(home.path)/\(file).txt", Array(text.utf8), mode: 0o600)
            }
            _ = await CommandLine(host, as: "alice").run(
                "send", "@bob@example.com", "May", "-a", home.path + "/may.txt")
            _ = await bob.run("draft", "attach", "7", home.path + "/plan.txt")
            try LocalFileSystem().remove(home.path + "/may.txt")
        }
        bob.environment["FMSG_STATE_DIR"] = home.path
        let clocks = TimeSource.ofSystem
        // What is live needs time to pass, and the same zone everywhere.
        if ["watch", "watch-events"].contains(name) {
            bob.time = TimeSource(
                now: { CommandLine.now }, uptime: { clocks.uptime },
                sleep: { seconds async throws(CancellationError) in
                    try await clocks.sleep(seconds)
                }, localTime: { LocalTime(utc: $0) })
        }
        return bob
    }

    /// The text without what is another each time.
    private func masked(_ text: String, _ host: TestHost) throws -> String {
        var text = text.replacing(host.url, with: "https://host.example")
        for id in try host.host.users().flatMap(\.keyIds) {
            text = text.replacing(id, with: "KEYID")
        }
        return text.replacing(/fmsgk_KEYID_[A-Za-z0-9+\/=]+/, with: "fmsgk_KEYID_SECRET")
    }

    @Test(arguments: all.indices)
    func theOutputIsAsItWas(_ index: Int) async throws {
        let (name, line) = Self.all[index]
        let text = try await transcript(name, line)
        let file = Self.folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["FMSG_UPDATE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == golden)
    }
}
