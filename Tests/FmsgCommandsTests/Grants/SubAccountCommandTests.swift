import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// The life of a sub-account by its commands, and what can go wrong in it.
@Suite struct SubAccountCommandTests {
    /// A host whose clock is that of the command lines: the ends of keys are told by both.
    private func host(
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> TestHost {
        try TestHost {
            $0.clock = { CommandLine.now }
            configure(&$0)
        }
    }

    @Test func anAgentIsMadeUsedRenewedAndDeleted() async throws {
        let host = try host()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let alice = try CommandLine(host, owner: "alice", home: home.path)
        let made = await alice.run(
            "sub-account", "create", "bot", "--allow", "127.0.0.1", "--save-profile", "bot")
        #expect(made.exitCode == .done && made.out == "@alice_bot@example.com\n", "\(made.err)")
        #expect(!made.err.contains("fmsgk_"))

        let bot = CommandLine(home: home.path)
        #expect(await bot.run("whoami").exitCode == .notAuthenticated, "no default was made")
        #expect(await bot.run("whoami", "--profile", "bot").out == "@alice_bot@example.com\n")
        let sent = await bot.run("--profile", "bot", "send", "@bob@example.com", "hi", "--json")
        #expect(try sent.json["from"] == .string("@alice_bot@example.com"))

        let list = await alice.run("sub-account", "list")
        #expect(list.lines.count == 1)
        #expect(
            list.out.hasPrefix("bot\t@alice_bot@example.com\t") && list.out.contains("127.0.0.1/32")
        )

        let renewed = await alice.run("sub-account", "rotate-key", "bot", "--save-profile", "bot")
        #expect(renewed.exitCode == .done, "\(renewed.err)")
        #expect(await bot.run("--profile", "bot", "inbox").exitCode == .done)

        let narrowed = await alice.run("sub-account", "allow", "bot", "192.0.2.0/24", "--json")
        #expect(try narrowed.json["allowed_cidrs"]?[0] == .string("192.0.2.0/24"))
        let outside = await bot.run("--profile", "bot", "inbox")
        #expect(outside.exitCode == .refused && outside.err.contains("source IP not allowed"))

        let gone = await alice.run("sub-account", "delete", "bot", "--json")
        #expect(gone.out == "{\"agent\":\"bot\",\"deleted\":true}\n")
        #expect(await alice.run("sub-account", "show", "bot").exitCode == .notFound)
        #expect(await alice.run("sub-account", "list", "--json").out == "[]\n")
    }

    @Test func aKeyIsShownOnceOnStandardOutput() async throws {
        let host = try host()
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        let made = await alice.run(
            "sub-account", "create", "ci", "--allow", "127.0.0.0/8", "--expires", "30d")
        let key = made.out.filter { $0 != "\n" }
        #expect(key.hasPrefix("fmsgk_") && !made.err.contains("fmsgk_"))
        #expect(
            await CommandLine(url: host.url, key: key).run("whoami").out
                == "@alice_ci@example.com\n")
        let other = try await alice.run("sub-account", "rotate-key", "ci", "--json").json
        #expect(other["api_key"]?.string?.hasPrefix("fmsgk_") == true)
        #expect(other["profile"] == nil)
        let shown = await alice.run("sub-account", "show", "ci", "--json")
        #expect(!shown.out.contains("fmsgk_"))
        #expect(
            await CommandLine(url: host.url, key: key).run("inbox").exitCode == .notAuthenticated)
    }

    @Test func anOwnerActsAsTheAgent() async throws {
        let host = try host()
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        _ = await alice.run("sub-account", "create", "bot", "--allow", "127.0.0.0/8")
        _ = try await CommandLine(host, as: "bob").send("@alice_bot@example.com", "hello")
        let acting = ["--as", "@alice_bot@example.com"]
        #expect(await alice.run(["inbox"] + acting).out.contains("hello"))
        let who = try await alice.run(["whoami", "--json", "--check"] + acting).json
        #expect(who["address"] == .string("@alice_bot@example.com"))
        #expect(who["owner"] == .string("@alice@example.com"))
        let reply = try await alice.run(["reply", "-1", "yes", "--json"] + acting).json
        #expect(reply["from"] == .string("@alice_bot@example.com"))
        let watch = try alice.start(["watch", "--unread", "--once", "--timeout", "20"] + acting)
        #expect(try await watch.nextLine().contains("hello"))
        #expect(await watch.exitCode() == .done)
        let stranger = await alice.run("inbox", "--as", "@bob@example.com")
        #expect(stranger.exitCode == .refused && stranger.err.contains("grant not authorised"))
    }

    /// No host lets a key see to sub-accounts, so none is asked.
    @Test(arguments: [["list"], ["show", "bot"], ["delete", "bot"], ["allow", "bot", "::/0"]])
    func anAPIKeyIsToldWhatItLacks(_ line: [String]) async throws {
        let host = try host()
        defer { host.stop() }
        host.requests.clear()
        let run = await CommandLine(host, as: "alice").run(["sub-account"] + line)
        #expect(run.exitCode == .usage && run.err.contains("FMSG_TOKEN"))
        #expect(host.requests.all.isEmpty)
    }

    @Test(arguments: [
        (["create", "a_b", "--allow", "::/0"], "without underscores"),
        (["create", "..", "--allow", "::/0"], "letters"), (["delete", ""], "letters"),
        (["create", "b", "--allow", "10.0.0.0/33"], "expected a network"),
        (["create", "b"], "--allow"),
        (["create", "b", "--allow", "::/0", "--expires", "2020-01-01"], "in the past"),
        (["create", "b", "--allow", "::/0", "--expires", "soon"], "RFC 3339"),
        (["rotate-key", "b", "--expires", "2020-01-01T00:00:00Z"], "in the past"),
        (["allow", "b"], "CIDR"), (["allow", "b", "here"], "expected a network"),
        (["create", "b", "--allow", "::/0", "--save-profile", "fmsgk_a_secret"], "argument"),
        (["list", "--fields", "nonsense"], "allowed_cidrs"), (["frobnicate"], "rotate-key"),
    ])
    func aWrongLineIsToldBeforeAnyRequest(_ line: [String], _ words: String) async throws {
        let host = try host()
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        host.requests.clear()
        let run = await alice.run(["sub-account"] + line)
        #expect(run.exitCode == .usage && run.err.contains(words), "\(run.err)")
        #expect(run.err.count { $0 == "\n" } == 1 && !run.err.contains("a_secret"))
        #expect(host.requests.all.isEmpty)
    }

    @Test func theHostsRefusalIsShownInItsWords() async throws {
        let host = try host { $0.limits.subAccounts = 1 }
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        let create = ["sub-account", "create", "--allow", "::/0"]
        #expect(await alice.run(create + ["one"]).exitCode == .done)
        let second = await alice.run(create + ["two"])
        #expect(second.exitCode == .refused && second.err.contains("limit exceeded"))
        let again = await alice.run(create + ["one"])
        #expect(again.exitCode == .refused && again.err.contains("already exists"))
        #expect(await alice.run("sub-account", "rotate-key", "none").exitCode == .notFound)
    }

    /// A profile of another identity is not overwritten, and nothing is asked of the host.
    @Test func aTakenProfileIsLeftAlone() async throws {
        let host = try host()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let alice = try CommandLine(host, owner: "alice", home: home.path)
        _ = await CommandLine(home: home.path).run(
            ["login", "-", "--api-url", host.url, "--profile", "bot"], input: host.key("bob"))
        host.requests.clear()
        let create = ["sub-account", "create", "bot", "--allow", "::/0"]
        let refused = await alice.run(create + ["--save-profile", "bot"])
        #expect(refused.exitCode == .usage && refused.err.contains("already"))
        #expect(host.requests.all.isEmpty)
        _ = await alice.run(create)
        let rotated = await alice.run("sub-account", "rotate-key", "bot", "--save-profile", "bot")
        #expect(rotated.exitCode == .usage)
        #expect(!host.requests.all.contains { $0.hasSuffix("rotate-key") })
        #expect(
            await CommandLine(home: home.path).run("whoami", "--profile", "bot").out
                == "@bob@example.com\n")
    }

    @Test func aProfileThatCannotBeKeptIsToldBeforeThereIsAKey() async throws {
        let host = try host()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        try LocalFileSystem().writeAtomically(home.path + "/.config", [], mode: 0o600)
        host.requests.clear()
        for place in [home.path, nil] {
            let alice = try CommandLine(host, owner: "alice", home: place)
            let run = await alice.run(
                "sub-account", "create", "bot", "--allow", "::/0", "--save-profile", "bot")
            #expect(run.exitCode == .failed && host.requests.all.isEmpty)
        }
    }

    /// The answer that held the key never came: the way to another one is told.
    @Test func aLostKeyIsToldWithTheWayToAnother() async throws {
        let host = try host()
        defer { host.stop() }
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.method == "POST" ? .answerLost : .none
        }
        defer { proxy.stop() }
        var alice = try CommandLine(host, owner: "alice")
        alice.environment["FMSG_API_URL"] = proxy.url
        let run = await alice.run("sub-account", "create", "bot", "--allow", "::/0")
        #expect(run.exitCode == .hostUnavailable && run.out.isEmpty)
        #expect(run.err.contains("rotate-key bot"))
        let renewed = await alice.run("sub-account", "rotate-key", "bot")
        #expect(renewed.exitCode == .hostUnavailable && renewed.err.contains("rotate-key bot"))

        let silent = try FaultProxy(to: host.url) { request, _ in
            request.method == "POST" ? .requestLost : .none
        }
        defer { silent.stop() }
        alice.environment["FMSG_API_URL"] = silent.url
        let nothing = await alice.run("sub-account", "create", "other", "--allow", "::/0")
        #expect(nothing.exitCode == .hostUnavailable && !nothing.err.contains("rotate-key"))
    }
}
