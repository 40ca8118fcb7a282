import CommandLineTool
import FmsgCore
import FmsgTransport
import TestSupport
import Testing

/// The main job, as three people would do it.
@Suite struct ConversationTests {
    @Test func threePeopleTalk() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let bob = CommandLine(host, as: "bob")
        let carol = CommandLine(host, as: "carol")

        let id = try await alice.send(
            "@bob@example.com", "@carol@example.com", "Lunch at noon?", "--topic", "Lunch")
        let inbox = await bob.run("inbox", "--unread")
        #expect(inbox.exitCode == .done)
        let fields = try #require(inbox.lines.first).split(
            separator: "\t", omittingEmptySubsequences: false)
        #expect(fields.count == 6)
        #expect(fields[0] == id && fields[2] == "@alice@example.com" && fields[3] == "unread")
        #expect(fields[4] == "Lunch" && fields[5] == "Lunch at noon?")

        let reply = await carol.run("reply-all", "-1", "I am in.", "--json")
        #expect(reply.exitCode == .done)
        #expect(reply.err == "fmsg: -1 is message \(id)\n")
        let sent = try reply.json
        #expect(sent["pid"]?.text == id)
        #expect(sent["to"] == .strings(["@alice@example.com", "@bob@example.com"]))
        #expect(sent["attachments"] == .array([]) && sent["redactions"] == .integer(0))
        #expect(sent["time_rfc3339"]?.string?.hasSuffix("Z") == true)
        let replyId = try #require(sent["id"]?.text)

        let reaction = await bob.run("react", replyId, "👍", "--json")
        #expect(try reaction.json["emoji"] == .string("👍"))
        #expect(try reaction.json["reaction_id"]?.int64 != nil)

        let thread = await alice.run("thread", replyId, "--reactions")
        #expect(thread.lines.count == 2)
        #expect(thread.lines.last?.hasSuffix("I am in.\t👍 @bob@example.com") == true)
        let document = try await alice.run("thread", replyId, "--json").json
        #expect(document["root_id"]?.text == id && document["trigger_id"]?.text == replyId)
        #expect(document["complete"] == .bool(true))
        #expect(document["reply_target_id"]?.text == replyId)
        #expect(document["messages"]?[0]?["body"]?["text"] == .string("Lunch at noon?"))

        let marked = await bob.run("mark-read", id, replyId, "--json")
        #expect(marked.exitCode == .done)
        #expect(try marked.json.array?.map { $0["id"]?.text } == [id, replyId])
        #expect(try marked.json[0]?["time_read_rfc3339"]?.string?.hasSuffix("Z") == true)
        #expect(await bob.run("inbox", "--unread").out.isEmpty)
        #expect(try await bob.run("inbox", "--unread", "--json").json == .array([]))
    }

    @Test func reactionsAreHiddenUnlessAskedFor() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let id = try await alice.send("@bob@example.com", "hi")
        _ = await CommandLine(host, as: "bob").run("react", id, "🎉")
        #expect(await alice.run("inbox").out.isEmpty)
        let all = await alice.run("inbox", "--reactions")
        #expect(
            all.lines.count == 1 && all.out.contains("\treaction\t") || all.out.contains("reaction")
        )
        let cleared = await CommandLine(host, as: "bob").run("react", id, "--clear", "--json")
        #expect(try cleared.json["emoji"] == .string(""))
        let again = await CommandLine(host, as: "bob").run("react", id, "--clear", "--json")
        #expect(try again.json["reaction_id"] == .null)
    }

    @Test func anOwnerIsInTheReplyToAll() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let key = try host.host.addUser("@alice_bot@example.com", owner: "@alice@example.com")
        let bot = CommandLine(url: host.url, key: key)
        _ = try await CommandLine(host, as: "bob").send("@alice_bot@example.com", "Hello, bot")
        let reply = try await bot.run("reply-all", "-1", "Hello", "--json").json
        #expect(reply["to"] == .strings(["@bob@example.com", "@alice@example.com"]))
        let identity = try await bot.run("whoami", "--json").json
        #expect(identity["owner"] == .string("@alice@example.com"))
    }

    /// Field case F5.
    @Test func whoWasOnlyAddedCanReply() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        let client = try FmsgClient.of(host, "bob")
        _ = try await client.add(["@carol@example.com"], to: try #require(Int64(id)))
        let reply = await CommandLine(host, as: "carol").run("reply", id, "thanks", "--json")
        #expect(reply.exitCode == .done, "\(reply.err)")
        #expect(try reply.json["pid"]?.text == id)
    }

    @Test func terminalAndNoReplyParentsAreRefusedBeforeAnythingIsSent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let bob = CommandLine(host, as: "bob")
        let terminal = try await alice.send("@bob@example.com", "the end", "--terminal")
        let discarded = try await alice.send("@bob@example.com", "news", "--no-reply")
        host.requests.clear()
        let first = await bob.run("reply", terminal, "but")
        #expect(first.exitCode == .usage && first.err.contains("terminal"))
        let second = await bob.run("reply-all", discarded, "but")
        #expect(second.exitCode == .usage && second.err.contains("no-reply"))
        #expect(
            !host.requests.all.contains { $0.hasPrefix("POST /fmsg/") && $0.hasSuffix("/send") })
        #expect(!host.requests.all.contains("POST /fmsg"))
        #expect(await bob.run("reply", discarded, "but", "--allow-no-reply").exitCode == .done)
    }
}

extension FmsgClient {
    /// A client of a test host over the real transport.
    static func of(_ host: TestHost, _ user: String) throws -> FmsgClient {
        FmsgClient(
            host: try HostURL(host.url), credential: .apiKey(host.key(user)),
            transport: CurlTransport(settings: TransportSettings()),
            clock: FmsgClock(now: { 1_796_000_000 }, uptime: { 0 }, sleep: { _ in }))
    }
}
