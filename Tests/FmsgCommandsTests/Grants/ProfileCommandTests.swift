import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Identities side by side.
@Suite struct ProfileCommandTests {
    private let home: TemporaryFolder
    private let line: CommandLine

    init() throws {
        home = try TemporaryFolder(prefix: "fmsg-test-home")
        line = CommandLine(home: home.path)
    }

    private var path: String { home.path + "/.config/fmsg/credentials.json" }

    private func put(_ name: String, _ text: String) throws {
        try LocalFileSystem().createFolder(home.path + "/.config/fmsg")
        try LocalFileSystem().writeAtomically(
            "\(home.path)/.config/fmsg/\(name)", Array(text.utf8), mode: 0o600)
    }

    @Test func profilesAreAddedUsedAndRemoved() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { home.remove() }
        func add(_ name: String) -> [String] {
            ["profile", "add", name, "-", "--api-url", host.url]
        }
        for user in ["bob", "carol"] {
            let added = await line.run(add(user), input: host.key(user))
            #expect(added.exitCode == .done, "\(added.err)")
        }
        #expect(
            await line.run("profile", "list").lines == [
                "bob\t@bob@example.com\t\(host.url)\tapi_key\tdefault",
                "carol\t@carol@example.com\t\(host.url)\tapi_key\t",
            ])
        #expect(await line.run("whoami").out == "@bob@example.com\n", "the first is the default")
        #expect(await line.run("profile", "use", "carol").exitCode == .done)
        #expect(await line.run("whoami").out == "@carol@example.com\n")
        let shown = try await line.run("profile", "show", "--json").json
        #expect(shown["name"] == .string("carol") && shown["is_default"] == .bool(true))
        #expect(await line.run("profile", "show", "bob").out.contains("address\t@bob@example.com"))
        let all = await line.run("profile", "list", "--json")
        #expect(!all.out.contains("fmsgk_"))
        #expect(await line.run("profile", "list", "--fields", "name").lines == ["bob", "carol"])

        let taken = await line.run(add("bob"), input: host.key("alice"))
        #expect(taken.exitCode == .usage && taken.err.contains("already"))
        #expect(await line.run("whoami", "--profile", "bob").out == "@bob@example.com\n")

        #expect(await line.run("profile", "remove", "carol").exitCode == .done)
        #expect(await line.run("profile", "list", "--fields", "name").lines == ["bob"])
        let tokens = try LocalFileSystem().list(home.path + "/.cache/fmsg/tokens")
        #expect(tokens.count == 1, "the token of what was removed is gone, too")
    }

    @Test(arguments: [
        (["profile", "use", "none"], ExitCode.notFound, "there is no profile none"),
        (["profile", "show", "none"], .notFound, "there is no profile none"),
        (["profile", "remove", "none"], .notFound, "there is no profile none"),
        (["profile", "show"], .notFound, "no profile is in use"),
        (["profile", "add", ""], .usage, "1 to 100 bytes"),
        (["profile", "add", "a\u{1B}]0;x"], .usage, "control characters"),
        (["profile", "add", "fmsgk_id_verysecret"], .usage, "never given as an argument"),
        (["profile", "add", "x", "fmsgk_id_verysecret"], .usage, "never given as an argument"),
        (["profile"], .usage, "profile"), (["profile", "list", "--fields", "key"], .usage, "name"),
    ])
    func aWrongLineIsTold(_ arguments: [String], _ code: ExitCode, _ words: String) async {
        defer { home.remove() }
        let run = await line.run(arguments)
        #expect(run.exitCode == code && run.err.contains(words), "\(run.err)")
        #expect(run.out.isEmpty && !run.err.contains("verysecret") && !run.err.contains("\u{1B}"))
    }

    @Test func aKeyThatTheHostRefusesLeavesNoProfile() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { home.remove() }
        let run = await line.run(
            ["profile", "add", "x", "-", "--api-url", host.url], input: "fmsgk_no_key")
        #expect(run.exitCode == .notAuthenticated)
        #expect(try LocalFileSystem().status(path) == nil)
    }

    /// Two hosts may know one address: the later log-in does not take the place of the former.
    @Test func oneAddressAtTwoHostsNeedsTwoNames() async throws {
        let (first, second) = (try TestHost(), try TestHost())
        defer { first.stop() }
        defer { second.stop() }
        defer { home.remove() }
        let login = ["login", "-", "--api-url"]
        #expect(await line.run(login + [first.url], input: first.key("bob")).exitCode == .done)
        let clash = await line.run(login + [second.url], input: second.key("bob"))
        #expect(clash.exitCode == .usage && clash.err.contains("--profile NAME"))
        let named = await line.run(
            login + [second.url, "--profile", "second"], input: second.key("bob"))
        #expect(named.exitCode == .done)
        let urls = await line.run("profile", "list", "--fields", "api_url").lines
        #expect(urls == [first.url, second.url])
        // The same identity again is a new key for the same profile.
        #expect(await line.run(login + [first.url], input: first.key("bob")).exitCode == .done)
        #expect(await line.run("profile", "list").lines.count == 2)
    }

    @Test func twoProfilesOfOneNameAreNotUnderstood() async throws {
        defer { home.remove() }
        let entry = #"{"api_url":"https://host.example","api_key":"fmsgk_a_b"}"#
        try put("credentials.json", #"{"profiles":{"a":\#(entry),"a":\#(entry)}}"#)
        let run = await line.run("profile", "list")
        #expect(run.exitCode == .notAuthenticated && run.err.contains("cannot be understood"))
        #expect(!run.err.contains("fmsgk_"))
    }

    @Test func anOwnersTokenIsAProfileToo() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { home.remove() }
        let token = try host.ownerToken("alice")
        let login = ["login", "-", "--api-url", host.url]
        let wrong = await line.run(login, input: TestToken.jwt(#"{"sub":"@alice@example.com"}"#))
        #expect(wrong.exitCode == .notAuthenticated)
        #expect(await line.run(login, input: token + "\n").exitCode == .done)
        #expect(await line.run("profile", "list", "--fields", "auth_type").out == "token\n")
        #expect(try LocalFileSystem().status(path)?.permissions == 0o600)
        var fromEnvironment = line
        fromEnvironment.environment["FMSG_TOKEN"] = token + "\n"
        let added = await fromEnvironment.run("profile", "add", "env", "--api-url", host.url)
        #expect(added.exitCode == .done, "\(added.err)")
        #expect(await line.run("whoami", "--check", "--profile", "env").exitCode == .done)
        #expect(await line.run("sub-account", "list", "--json").out == "[]\n")
        _ = await line.run(login + ["--profile", "bob"], input: host.key("bob"))
        #expect(
            await line.run("whoami", "--profile", "alice@example.com").out
                == "@alice@example.com\n", "another log-in keeps it")
        #expect(!(await line.run("profile", "show", "--json").out.contains("eyJ")))
    }

    /// What the public Go client has written stays good beside what is added here.
    @Test func theGoClientsProfileOutlivesAnother() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { home.remove() }
        let file: JSONObject = [
            "version": .integer(1), "auth_type": .string("idp"), "api_key": .string(""),
            "access_token": .string(try host.ownerToken("alice")),
            "user": .string("@alice@example.com"), "api_url": .string(host.url),
        ]
        try put("auth.json", JSON.object(file).text)
        #expect(await line.run("profile", "list", "--fields", "name").out == "alice@example.com\n")
        _ = await line.run(
            ["profile", "add", "bob", "-", "--api-url", host.url], input: host.key("bob"))
        #expect(
            await line.run("profile", "list", "--fields", "name,is_default").lines == [
                "alice@example.com\tdefault", "bob\t",
            ])
        #expect(await line.run("sub-account", "list").exitCode == .done)
    }
}
