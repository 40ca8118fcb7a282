import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// What goes to which stream, in which form, and what hostile text becomes there.
@Suite struct StreamTests {
    /// Field case F18: with every switch on, stdout parses.
    @Test func jsonIsAloneOnStdout() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        var alice = CommandLine(host, as: "alice")
        alice.terminals = [.error]
        let lines: [[String]] = [
            ["send", "@bob@example.com", "hi"], ["inbox"], ["sent"], ["show", "1"],
            ["thread", "1", "--reactions"], ["whoami", "--check"],
            ["reply", "1", "x", "--dry-run"], ["sent", "--all"], ["body", "1"],
            ["show", "1", "--delivery"], ["add-to", "1", "@carol@example.com"],
            ["send", "@bob@example.com", "hi", "--wait"], ["draft", "list"],
            ["draft", "create", "@bob@example.com", "hi", "-a", rig.path("a")],
            ["draft", "edit", "3", "-t", "T"], ["draft", "show", "3"],
            ["draft", "detach", "3", "a"],
            ["draft", "attach", "3", rig.path("a")],
            ["download", "3", "-o", rig.path("b")], ["draft", "send", "3"],
        ]
        for line in lines {
            let run = await alice.run(["-v"] + line + ["--json", "--color", "always", "--verbose"])
            #expect(run.exitCode == .done, "\(run.err)")
            #expect(throws: Never.self) { try run.json }
            #expect(run.err.contains("/fmsg"))
            #expect(!run.err.contains("Bearer") && !run.err.contains("eyJ"))
            #expect(!run.err.contains(host.key("alice")))
        }
    }

    /// Field case F20.
    @Test func aGlobalOptionStandsAnywhere() async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        let bob = CommandLine(host, as: "bob")
        let expected = await bob.run("show", "-1", "--json", "-q")
        #expect(try expected.json["id"] == .integer(1))
        for line in [
            ["--json", "-q", "show", "-1"], ["-q", "show", "--json", "-1"],
            ["show", "-1", "-q", "--json"], ["show", "-q", "--json", "--", "-1"],
        ] {
            let run = await bob.run(line)
            #expect(run.out == expected.out && run.err.isEmpty)
        }
    }

    /// Field case F27, and what a text may look like.
    @Test(arguments: ["Package.swift", "/etc/passwd", "-1", "--", "-F", ".", "", "@x", "-"])
    func aTextIsSentAsItIs(_ text: String) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let isPlain = !text.hasPrefix("@") && !text.hasPrefix("--") && text != "-F" && text != "-"
        let alice = CommandLine(host, as: "alice")
        let sent =
            isPlain && !text.isEmpty
            ? await alice.run("send", "@bob@example.com", text)
            : await alice.run("send", "@bob@example.com", "-m", text)
        #expect(sent.exitCode == .done, "\(sent.err)")
        let shown = try await CommandLine(host, as: "bob").run("show", "1", "--json").json
        #expect(shown["body"]?["text"] == .string(text))
    }

    @Test func standardInputIsReadOnlyWhereItIsNamed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let text = "línea 1\nline 2\t\\\n"
        #expect(await alice.run(["send", "@bob@example.com", "-"], input: text).exitCode == .done)
        #expect(
            await alice.run(["send", "@bob@example.com", "-F", "-"], input: text).exitCode == .done)
        let bob = CommandLine(host, as: "bob")
        #expect(try await bob.run("show", "1", "--json").json["body"]?["text"] == .string(text))
        // F21: without a text nothing is waited for.
        #expect(await alice.run(["send", "@bob@example.com"], input: text).exitCode == .usage)
        // In a pipe a record is one line whatever is in it.
        #expect(await bob.run("inbox").lines.count == 2)
        #expect(await bob.run("inbox").out.contains("línea 1\\nline 2\\t\\\\\\n"))
    }

    static let hostile = "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}evil"

    /// Field case F23.
    @Test func hostileTextIsEscapedOnATerminalAndKeptInJSON() async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await CommandLine(host, as: "alice").send(
            "@bob@example.com", Self.hostile, "--topic", Self.hostile)
        var bob = CommandLine(host, as: "bob")
        let json = await bob.run("show", "1", "--json")
        #expect(try json.json["body"]?["text"] == .string(Self.hostile))
        #expect(try json.json["topic"] == .string(Self.hostile))
        for terminals in [Set<StandardStream>([.output]), []] {
            bob.terminals = terminals
            for line in [["inbox"], ["show", "1"], ["thread", "1"], ["inbox", "--json"]] {
                let run = await bob.run(line)
                let harmful = run.out.unicodeScalars.filter {
                    $0.isHarmfulWhenShown && $0 != "\n" && $0 != "\t"
                }
                #expect(harmful.isEmpty, "\(line)")
                #expect(run.out.contains("evil"))
            }
        }
        let server = try ScriptedServer(answering: { _ in
            .json(JSON.object(["error": .string("no \(Self.hostile)")]).text, status: 403)
        })
        defer { server.stop() }
        let refused = await CommandLine(url: server.url, key: "fmsgk_k_s").run("inbox")
        #expect(!refused.err.unicodeScalars.contains { $0.isHarmfulWhenShown && $0 != "\n" })
    }

    @Test func aTableIsCutToTheTerminal() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let wide = String(repeating: "漢字👍🏽é", count: 40)
        let topic = String(wide.prefix(9))
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", wide, "-t", topic)
        var bob = CommandLine(host, as: "bob")
        bob.terminals = [.output]
        for columns in [20, 40, 80, 300] {
            bob.columns = columns
            let line = try #require(await bob.run("inbox").lines.first)
            #expect(DisplayText.width(line) <= columns)
        }
    }

    /// Field case F2: somebody's draft is no message.
    @Test func aDraftOfAnotherIsNotListed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let client = try FmsgClient.of(host, "alice")
        let draft = try await client.createDraft(NewMessage(to: ["@bob@example.com"], text: "wip"))
        let sent = try await CommandLine(host, as: "alice").send("@bob@example.com", "done")
        let bob = CommandLine(host, as: "bob")
        #expect(try await FmsgClient.of(host, "bob").inbox().contains { $0.id == draft })
        #expect(try await bob.run("inbox", "--json").json.array?.count == 1)
        #expect(try await bob.run("inbox", "--unread", "--json").json.array?.count == 1)
        #expect(try await bob.run("show", "-1", "--json").json["id"]?.text == sent)
        #expect(await bob.run("show", "-2").exitCode == .notFound)
        #expect(await CommandLine(host, as: "alice").run("sent").lines.count == 1)
        #expect(await CommandLine(host, as: "alice").run("sent", "--drafts").lines.count == 2)
    }

    /// Field case F33.
    @Test func aBodyLongerThanItsPreviewIsShownWhole() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let long = String(repeating: "0123456789é", count: 300)
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", long)
        var bob = CommandLine(host, as: "bob")
        #expect(await bob.run("show", id).out.contains("body\t\(long)\n"))
        bob.terminals = [.output]
        #expect(await bob.run("show", id).out.contains(long))
        #expect(await bob.run("thread", id).out.contains(long))
    }

    @Test func someOfSeveralMayFail() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        let bob = CommandLine(host, as: "bob")
        let some = await bob.run("mark-read", id, "999", "--json")
        #expect(some.exitCode == .someFailed)
        #expect(try some.json.array?.count == 1 && some.err.contains("999"))
        let none = await bob.run("mark-read", "998", "999")
        #expect(none.exitCode == .notFound && none.out.isEmpty)
    }

    @Test func aNameIsResolvedAndSaid() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-directory")
        defer { folder.remove() }
        let path = folder.path + "/directory.json"
        try LocalFileSystem().writeAtomically(
            path, Array(#"{"boss":"@carol@example.com","bad":"x"}"#.utf8), mode: 0o600)
        var alice = CommandLine(host, as: "alice")
        alice.environment["FMSG_DIRECTORY"] = path
        alice.environment["FMSG_DEFAULT_DOMAIN"] = "example.com"
        let run = await alice.run(
            "send", "--to", "boss", "--to", "bob", "hi", "--json", "--to", "@BOB@example.com")
        #expect(run.exitCode == .done)
        #expect(try run.json["to"] == .strings(["@carol@example.com", "@bob@example.com"]))
        #expect(run.err.contains("boss is @carol@example.com"))
        #expect(run.err.contains("bob is @bob@example.com"))
        #expect(await alice.run("send", "--to", "bad", "hi").exitCode == .usage)
    }

    @Test func filtersApplyBeforeTheCount() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let carol = CommandLine(host, as: "carol")
        let alice = CommandLine(host, as: "alice")
        _ = try await carol.send("@bob@example.com", "first", "-t", "Alpha", "--important")
        for number in 0..<30 { _ = try await alice.send("@bob@example.com", "\(number)") }
        let bob = CommandLine(host, as: "bob")
        let found = await bob.run("inbox", "-n", "1", "--from", "@carol@example.com")
        #expect(found.lines.count == 1 && found.out.contains("first"))
        #expect(await bob.run("inbox", "--topic", "alPH").lines.count == 1)
        #expect(await bob.run("inbox", "--important").lines.count == 1)
        #expect(await bob.run("inbox").lines.count == 20)
        #expect(await bob.run("inbox", "--since", "2020-01-01", "-n", "50").lines.count == 31)
        #expect(await bob.run("inbox", "--since", "2999-01-01T00:00:00Z").lines.isEmpty)
        #expect(await bob.run("inbox", "--fields", "topic,id", "--topic", "a").out == "Alpha\t1\n")
        let picked = await bob.run("inbox", "-n", "1", "--json", "--fields", "id,time_rfc3339,body")
        #expect(try picked.json[0]?.object?.fields.map(\.key) == ["id", "time_rfc3339"])
    }
}
