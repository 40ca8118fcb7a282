import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Drafts from the first word to the sending.
@Suite struct DraftTests {
    private func create(
        _ alice: CommandLine, _ arguments: String...
    ) async throws -> String {
        let run = await alice.run(["draft", "create"] + arguments)
        try #require(run.exitCode == .done, "\(run.err)")
        return run.out.filter { $0 != "\n" }
    }

    @Test func aDraftIsMadeChangedAndSent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a.bin", sampleBytes(1000))
        try rig.write("b.bin", [2])
        let alice = CommandLine(host, as: "alice")
        let id = try await create(
            alice, "@bob@example.com", "First", "-t", "Plan", "--important", "-a",
            rig.path("a.bin"))
        // Nobody has got it.
        #expect(await CommandLine(host, as: "bob").run("inbox").out.isEmpty)
        #expect(await alice.run("draft", "list").out.hasPrefix("\(id)\t\t@bob@example.com\tdraft,"))
        #expect(await alice.run("sent").out.isEmpty)
        let attached = await alice.run("draft", "attach", id, rig.path("b.bin"), "--json")
        #expect(try attached.json[0]?["size"] == .integer(1))
        let detached = await alice.run("draft", "detach", id, "a.bin")
        #expect(detached.out == "\(id)\ta.bin\n")
        let edited = await alice.run(
            "draft", "edit", id, "Second", "--to", "@carol@example.com", "--to",
            "@bob@example.com", "--unset", "important", "--no-reply", "--json")
        #expect(edited.exitCode == .done, "\(edited.err)")
        let shown = try await alice.run("draft", "show", id, "--json").json
        #expect(shown["body"]?["text"] == .string("Second"))
        #expect(shown["topic"] == .string("Plan") && shown["important"] == .bool(false))
        #expect(shown["no_reply"] == .bool(true) && shown["to"]?.array?.count == 2)
        #expect(shown["attachments"]?[0]?["filename"] == .string("b.bin"))
        let sent = await alice.run("draft", "send", id, "--wait", "--json")
        #expect(sent.exitCode == .done, "\(sent.err)")
        #expect(try sent.json["id"] == shown["id"])
        #expect(try sent.json["attachments"]?[0]?["filename"] == .string("b.bin"))
        #expect(try sent.json["delivery"]?.array?.count == 2)
        #expect(await alice.run("draft", "list").out.isEmpty)
        #expect(await CommandLine(host, as: "carol").run("show", id).out.contains("body\tSecond"))
    }

    /// A host replaces a draft whole: what is not named must be sent along.
    @Test func whatIsNotNamedStays() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let long = String(repeating: "longer than any preview ü\n", count: 200)
        let id = try await create(
            alice, "@bob@example.com", "-m", long, "--type", "text/markdown", "--important",
            "--no-reply", "--terminal", "-t", "T")
        #expect(await alice.run("draft", "edit", id, "-t", "U").exitCode == .done)
        let after = try await alice.run("show", id, "--json").json
        #expect(after["body"]?["text"] == .string(long) && after["topic"] == .string("U"))
        #expect(after["type"] == .string("text/markdown"))
        for flag in ["important", "no_reply", "terminal"] { #expect(after[flag] == .bool(true)) }
    }

    @Test func aReplyStaysAReply() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let (alice, carol) = (CommandLine(host, as: "alice"), CommandLine(host, as: "carol"))
        let root = try await alice.send("@bob@example.com", "root")
        #expect(await alice.run("add-to", root, "@carol@example.com").exitCode == .done)
        // Who was only added replies to the batch (field case F5), also after an edit.
        let id = try await create(carol, "--parent", root, "-m", "one")
        let edited = await carol.run("draft", "edit", id, "two", "--json")
        #expect(edited.exitCode == .done, "\(edited.err)")
        #expect(try edited.json["pid"]?.int64 == Int64(root))
        #expect(try edited.json["to"] == .array([.string("@alice@example.com")]))
        #expect(await carol.run("draft", "send", id).exitCode == .done)
        #expect(await alice.run("thread", id).lines.count == 2)
        let topic = await carol.run("draft", "create", "--parent", root, "x", "-t", "T")
        #expect(topic.exitCode == .usage && topic.err.contains("no topic"))
    }

    @Test func whatWasSentIsNoDraft() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        let alice = CommandLine(host, as: "alice")
        let id = try await alice.send("@bob@example.com", "out")
        for line in [
            ["edit", id, "x"], ["attach", id, rig.path("a")], ["detach", id, "a"], ["send", id],
            ["show", id], ["delete", id],
        ] {
            let run = await alice.run(["draft"] + line)
            #expect(run.exitCode == .refused || run.exitCode == .usage, "\(line)")
            #expect(run.out.isEmpty && run.err.contains("sent"), "\(run.err)")
        }
        #expect(await alice.run("show", id).out.contains("body\tout"))
        #expect(await alice.run("draft", "send", "999").exitCode == .notFound)
        #expect(await alice.run("draft", "delete", "-1").exitCode == .usage)
        // Bob sees the draft that Alice has made for him; it is not his.
        let draft = try await create(alice, "@bob@example.com", "x")
        let bob = CommandLine(host, as: "bob")
        #expect(await bob.run("draft", "edit", draft, "y").exitCode == .refused)
        #expect(await bob.run("draft", "send", draft).exitCode == .refused)
        #expect(await bob.run("draft", "delete", draft).exitCode == .refused)
    }

    /// Between the look and the change it was sent from elsewhere.
    @Test func aDraftThatIsSentMeanwhileIsNotChanged() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let direct = CommandLine(host, as: "alice")
        let id = try await create(direct, "@bob@example.com", "as it was")
        let before = await direct.run("show", id, "--json").out
        #expect(await direct.run("draft", "send", id).exitCode == .done)
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.method == "GET" ? .answered(.json(before)) : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("draft", "edit", id, "too late")
        #expect(run.exitCode == .refused)
        #expect(run.err.contains("sent messages cannot be updated"))
        #expect(await direct.run("body", id).out == "as it was")
    }

    @Test(arguments: [FaultProxy.Fault.requestLost, .answerLost, .answerCut(after: 20)])
    func lostAnswersAreMadeGood(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        let proxy = try FaultProxy(to: host.url) { request, number in
            request.method != "GET" && request.path != "/fmsg/token" && number == 0 ? fault : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let id = try await create(alice, "@bob@example.com", "x")
        #expect(await alice.run("draft", "edit", id, "y").exitCode == .done)
        #expect(await alice.run("draft", "attach", id, rig.path("a")).exitCode == .done)
        #expect(await alice.run("draft", "delete", id).exitCode == .done)
        #expect(await CommandLine(host, as: "alice").run("draft", "list").out.isEmpty)
    }

    @Test func aRefusedSendLeavesTheDraft() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let direct = CommandLine(host, as: "alice")
        let id = try await create(direct, "@bob@example.com", "x")
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.path.hasSuffix("/send")
                ? .answered(.json(#"{"error":"not now"}"#, status: 409)) : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("draft", "send", id)
        #expect(run.exitCode == .refused && run.err.contains("not now"))
        #expect(await direct.run("draft", "list").out.hasPrefix(id))
    }

    @Test func someOfSeveralMayFail() async throws {
        let host = try TestHost { $0.limits = $0.limits.raised(to: 100) }
        defer { host.stop() }
        let rig = try FileRig()
        for (name, size) in [("a", 10), ("b", 101), ("c", 10)] {
            try rig.write(name, sampleBytes(size))
        }
        let alice = CommandLine(host, as: "alice")
        let id = try await create(alice, "@bob@example.com", "x")
        let attached = await alice.run(
            "draft", "attach", id, rig.path("a"), rig.path("b"), rig.path("c"), "--json")
        #expect(attached.exitCode == .someFailed)
        #expect(try attached.json.array?.count == 2)
        #expect(attached.err.contains("attachment exceeds maximum size"))
        #expect(attached.err.contains("1 of 3 files were not attached"))
        let detached = await alice.run("draft", "detach", id, "a", "none", "c")
        #expect(detached.exitCode == .someFailed && detached.lines.count == 2)
        let other = try await create(alice, "@bob@example.com", "y")
        let deleted = await alice.run("draft", "delete", id, "999", other)
        #expect(deleted.exitCode == .someFailed && deleted.lines == [id, other])
        // All or none of a new one.
        let refused = await alice.run(
            "draft", "create", "@bob@example.com", "x", "-a", rig.path("a"), "-a", rig.path("b"))
        #expect(refused.exitCode == .refused)
        #expect(await alice.run("draft", "list").out.isEmpty)
    }

    @Test func wrongLinesMakeNoRequest() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        host.requests.clear()
        for line in [
            ["create"], ["create", "x"], ["create", "@bob@example.com"], ["edit", "1"], ["edit"],
            ["edit", "1", "a", "-m", "b"], ["edit", "1", "--unset", "unread"], ["attach", "1"],
            ["send"], ["delete"], ["show", "abc"], ["edit", "-1", "x"], ["make"],
        ] {
            #expect(await alice.run(["draft"] + line).exitCode == .usage, "\(line)")
        }
        #expect(host.requests.all.isEmpty)
    }
}
