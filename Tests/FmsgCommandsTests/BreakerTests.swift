import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// What people who tried to break it found.
@Suite struct BreakerTests {
    /// A key never leaves this machine in clear by way of a proxy.
    @Test func aHostOnThisMachineIsReachedWithoutAProxy() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try ScriptedServer(answering: { _ in .json("[]") })
        defer { proxy.stop() }
        var bob = CommandLine(host, as: "bob")
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"] {
            bob.environment[name] = proxy.url
        }
        #expect(await bob.run("inbox").exitCode == .done)
        #expect(proxy.connectionCount == 0)
    }

    /// A host whose pages are always the same, whatever is asked for.
    @Test(arguments: [true, false])
    func pagesThatBringNothingNewEndTheWalk(_ areDrafts: Bool) async throws {
        let items = (1...100).reversed().map { id in
            #"{"id":\#(id),"from":"@a@b","time":\#(areDrafts ? "null" : "1")}"#
        }
        let server = try ScriptedServer(answering: { _ in
            .json("[\(items.joined(separator: ","))]")
        })
        defer { server.stop() }
        var line = CommandLine(url: server.url, key: nil)
        line.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@a@b"}"#) + "\n"
        let all = await line.run("inbox", "--all")
        #expect(all.exitCode == .done && all.lines.count == (areDrafts ? 0 : 100))
        #expect(await line.run("show", "-101").exitCode == .notFound)
        #expect(server.requests.count < 40)
    }

    @Test func aMessageInALongThreadIsFoundByItsHash() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = try FmsgClient.of(host, "alice")
        var last = try await alice.send(NewMessage(to: ["@bob@example.com"], text: "root"))
        for number in 0..<101 {
            last = try await alice.send(
                NewMessage(
                    to: ["@bob@example.com"], parent: ParentReference(id: last.id),
                    text: "\(number)"))
        }
        let hash = try #require(last.sha256)
        let bob = CommandLine(host, as: "bob")
        #expect(try await bob.run("show", hash, "--json").json["id"]?.int64 == last.id)
        #expect(await bob.run("mark-read", hash).exitCode == .done)
        #expect(await bob.run("thread", hash).exitCode == .refused)
    }

    @Test func aTokenThatCannotBeSentIsNotKept() async throws {
        let token = TestToken.jwt(#"{"sub":"@a@b","api_key_id":"k"}"#)
        let server = try ScriptedServer(answering: { _ in
            .json(#"{"access_token":"\#(token)\r\nX: 1","expires_in":9000}"#)
        })
        defer { server.stop() }
        let cache = try TemporaryFolder(prefix: "fmsg-test-cache")
        defer { cache.remove() }
        let line = CommandLine(url: server.url, key: "fmsgk_k_s", cache: cache.path)
        for _ in 0..<2 { #expect(await line.run("inbox").exitCode == .hostUnavailable) }
        #expect(server.requests.count == 2)
        #expect(try LocalFileSystem().list(cache.path).isEmpty)
    }

    @Test func aRedirectsPasswordIsNotRepeated() async throws {
        let server = try ScriptedServer(answering: { _ in
            .answer(
                status: 302, headers: ["Location: https://user:secret@other.example/x@y"], body: [])
        })
        defer { server.stop() }
        let run = await CommandLine(url: server.url, key: "fmsgk_k_s").run("inbox")
        #expect(run.exitCode == .hostUnavailable)
        #expect(run.err.contains("other.example/x@y") && !run.err.contains("secret"))
    }

    /// A refused send whose draft cannot be taken back names it.
    @Test func aDraftThatRemainsIsNamed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try FaultProxy(to: host.url) { request, _ in
            if request.path.hasSuffix("/send") {
                return .answered(.json(#"{"error":"bad"}"#, status: 400))
            }
            return request.method == "DELETE"
                ? .answered(.json(#"{"error":"no"}"#, status: 500)) : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "x", "--json")
        #expect(run.exitCode == .refused)
        let error = try JSON.read(run.err)["error"]
        #expect(error?["draft_id"] == .integer(1) && error?["status"] == nil)
        #expect(error?["message"]?.string?.hasPrefix("bad ") == true)
    }
}
