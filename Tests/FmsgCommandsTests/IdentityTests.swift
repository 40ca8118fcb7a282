import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Logging in and out, and the files that hold secrets.
@Suite struct IdentityTests {
    /// A command line with a home of its own and nothing else.
    private func atHome(_ home: TemporaryFolder, key: String? = nil) -> CommandLine {
        var line = CommandLine(url: "", key: key)
        line.environment["FMSG_API_URL"] = nil
        line.environment["HOME"] = home.path
        return line
    }

    private func mode(_ path: String) throws -> UInt32? {
        try LocalFileSystem().status(path)?.permissions
    }

    @Test func aKeyIsKeptOnceTheHostAcceptedIt() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let line = atHome(home)
        #expect(await line.run("whoami").exitCode == .notAuthenticated)

        let wrong = await line.run(["login", "-", "--api-url", host.url], input: "fmsgk_no_key\n")
        #expect(wrong.exitCode == .notAuthenticated)
        #expect(try LocalFileSystem().status(home.path + "/.config/fmsg") == nil)

        let run = await line.run(
            ["login", "-", "--api-url", host.url + "/fmsg/", "--json"],
            input: host.key("bob") + "\n")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try run.json["address"] == .string("@bob@example.com"))
        #expect(try run.json["profile"] == .string("bob@example.com"))
        let path = home.path + "/.config/fmsg/credentials.json"
        #expect(try mode(path) == 0o600)
        #expect(await line.run("whoami").out == "@bob@example.com\n")

        // The cached token serves without a request, and is for the owner's eyes alone.
        host.requests.clear()
        let who = try await line.run("whoami", "--json").json
        #expect(who["api_url"] == .string(host.url))
        #expect(who["token_expires_at"]?.string?.hasSuffix("Z") == true)
        #expect(host.requests.all.isEmpty)
        let tokens = home.path + "/.cache/fmsg/tokens"
        let names = try LocalFileSystem().list(tokens)
        #expect(names.count == 1 && names.first?.utf8.count == 69)
        #expect(try mode(tokens + "/" + (names.first ?? "")) == 0o600)

        let second = await line.run(
            ["login", "-", "--api-url", host.url, "--profile", "work"], input: host.key("carol"))
        #expect(second.exitCode == .done)
        #expect(await line.run("whoami").out == "@carol@example.com\n")
        #expect(
            await line.run("whoami", "--profile", "bob@example.com").out == "@bob@example.com\n")
        #expect(await line.run("logout").exitCode == .done)
        #expect(await line.run("whoami").out == "@bob@example.com\n")
        #expect(await line.run("logout").exitCode == .done)
        #expect(await line.run("whoami").exitCode == .notAuthenticated)
        #expect(try LocalFileSystem().list(tokens).isEmpty)
    }

    /// Field case F22.
    @Test func aKeyIsAskedForOnlyWhereThereIsATerminal() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        var line = atHome(home)
        let piped = await line.run("login", "--api-url", host.url)
        #expect(piped.exitCode == .usage && piped.err.contains("fmsg login -"))
        line.terminals = [.input, .output, .error]
        line.typed = host.key("alice")
        let asked = await line.run("login", "--api-url", host.url)
        #expect(asked.exitCode == .done && asked.err.contains("@alice@example.com"))
        #expect(!asked.err.contains(host.key("alice")))
        let refused = await line.run("login", "--api-url", host.url, "--no-input")
        #expect(refused.exitCode == .usage)
        let hostless = await atHome(home).run(["login", "-", "--profile", "x"], input: "k")
        #expect(hostless.exitCode == .usage && hostless.err.contains("--api-url"))
    }

    /// Field case F28.
    @Test func credentialsOpenToOthersAreRefused() async throws {
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let files = LocalFileSystem()
        try files.createFolder(home.path + "/.config/fmsg")
        let path = home.path + "/.config/fmsg/credentials.json"
        try files.writeAtomically(path, Array("{}".utf8), mode: 0o644)
        let run = await atHome(home).run("whoami")
        #expect(run.exitCode == .notAuthenticated)
        #expect(run.err.contains("chmod 600 \(path)"))
        try files.writeAtomically(path, Array(#"{"profiles":{"a":"#.utf8), mode: 0o600)
        let torn = await atHome(home).run("whoami")
        #expect(torn.exitCode == .notAuthenticated && torn.err.contains("cannot be understood"))
        #expect(try files.read(path, limit: 100) == Array(#"{"profiles":{"a":"#.utf8))
    }

    @Test func whatANewerProgramWroteIsLeftAlone() async throws {
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let files = LocalFileSystem()
        let folder = home.path + "/.config/fmsg"
        try files.createFolder(folder)
        let path = folder + "/credentials.json"
        let text = #"{"version":2,"profiles":{}}"#
        try files.writeAtomically(path, Array(text.utf8), mode: 0o600)
        let run = await atHome(home).run("profile", "use", "x")
        #expect(run.exitCode == .notAuthenticated && run.err.contains("newer fmsg"))
        #expect(try files.read(path, limit: 100) == Array(text.utf8))
        try files.remove(path)
        try files.createFolder(path)
        #expect(await atHome(home).run("whoami").err.contains("not an ordinary file"))
    }

    @Test func aKeyGoesToItsOwnHostAlone() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let line = atHome(home)
        _ = await line.run(["login", "-", "--api-url", host.url], input: host.key("bob"))
        let thief = try ScriptedServer(answering: { _ in .json("{}") })
        defer { thief.stop() }
        let run = await line.run("inbox", "--api-url", thief.url)
        #expect(run.exitCode == .usage && run.err.contains("belongs to"))
        #expect(thief.requests.isEmpty)
    }

    @Test func plainHTTPIsRefusedBeyondLoopback() async {
        let line = CommandLine(url: "http://fmsg.example.com", key: "fmsgk_k_s")
        let run = await line.run("inbox")
        #expect(run.exitCode == .usage && run.err.contains("clear text"))
    }

    @Test func theGoClientsFileIsUnderstood() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let files = LocalFileSystem()
        try files.createFolder(home.path + "/.config/fmsg")
        let file: JSONObject = [
            "version": .integer(1), "auth_type": .string("api_key"),
            "api_key": .string(host.key("carol")), "access_token": .string(""),
            "user": .string("@carol@example.com"), "api_url": .string(host.url),
        ]
        try files.writeAtomically(
            home.path + "/.config/fmsg/auth.json", JSON.object(file).bytes, mode: 0o600)
        #expect(await atHome(home).run("whoami").out == "@carol@example.com\n")
    }

    @Test func anUnwritableCacheIsAWarning() async throws {
        let host = try TestHost()
        defer { host.stop() }
        // A file where the cache's folder should be: nobody can write below it, not even root.
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        try LocalFileSystem().writeAtomically(home.path + "/file", [], mode: 0o600)
        let line = CommandLine(
            url: host.url, key: host.key("bob"), cache: home.path + "/file")
        let run = await line.run("whoami")
        #expect(run.exitCode == .done && run.out == "@bob@example.com\n")
        #expect(run.err.contains("warning: the token is not kept"))
        #expect(await line.run("whoami", "-q").err.isEmpty)
    }

    /// A cache file that is torn, foreign or open counts as absent (F29, F34).
    @Test(arguments: ["", "{", #"{"token":"x","received_at":1}"#, "[]"])
    func aTornCacheFileIsNoFailure(_ text: String) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        let line = CommandLine(url: host.url, key: host.key("bob"), cache: home.path)
        _ = await line.run("whoami")
        let folder = home.path + "/fmsg/tokens/"
        let name = try #require(try LocalFileSystem().list(folder).first)
        try LocalFileSystem().writeAtomically(folder + name, Array(text.utf8), mode: 0o600)
        let run = await line.run("inbox")
        #expect(run.exitCode == .done && run.err.isEmpty)
    }

    /// A token that the host does not take any more is exchanged once, and the request repeated.
    @Test func aRefusedTokenIsExchangedOnce() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let cache = try TemporaryFolder(prefix: "fmsg-test-cache")
        defer { cache.remove() }
        let proxy = try FaultProxy(to: host.url) { request, number in
            request.path.hasPrefix("/fmsg?") && number == 0
                ? .answered(.json(#"{"error":"invalid token"}"#, status: 401)) : .none
        }
        defer { proxy.stop() }
        let line = CommandLine(url: proxy.url, key: host.key("bob"), cache: cache.path)
        #expect(await line.run("inbox").exitCode == .done)
        #expect(
            proxy.requests.map { String($0.path.prefix { $0 != "?" }) }
                == ["/fmsg/token", "/fmsg", "/fmsg/token", "/fmsg"])
    }

    @Test func aRevokedKeyIsSaidInTheHostsWords() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let key = host.key("bob")
        let id = key.dropFirst("fmsgk_".count).prefix { $0 != "_" }
        try host.host.revokeKey(String(id))
        let run = await CommandLine(host, as: "bob").run("inbox")
        #expect(run.exitCode == .notAuthenticated && run.err.contains("fmsg login"))
        #expect(!run.err.contains(key))
    }
}
