import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// What comes from a command line, a host or a file and is not as it should be: one clear line,
/// a documented exit code, nothing half-done.
@Suite struct BadInputTests {
    /// A command line before a server that answers everything but the token so.
    private func run(
        _ answer: ScriptedAnswer, _ arguments: String...
    ) async throws -> Run {
        let server = try ScriptedServer(answering: { request in
            request.path == "/fmsg/token"
                ? .json(
                    #"{"access_token":"\#(TestToken.jwt(#"{"sub":"@a@b"}"#))","expires_in":9000}"#)
                : answer
        })
        defer { server.stop() }
        return await CommandLine(url: server.url, key: "fmsgk_k_s").run(arguments)
    }

    private func isOneLine(_ run: Run) -> Bool {
        run.err.hasSuffix("\n") && run.err.count { $0 == "\n" } == 1 && run.out.isEmpty
    }

    @Test(arguments: Capture.all.filter { $0.status >= 400 })
    func everyCapturedRefusalHasItsExitCodeAndKeepsTheWords(_ capture: Capture) async throws {
        let run = try await run(
            .answer(
                status: capture.status, headers: ["Content-Type: \(capture.contentType)"],
                body: capture.body), "inbox", "--json")
        try run.expectRefusal(as: capture)
    }

    @Test func nobodyThere() async throws {
        let url = "http://127.0.0.1:\(try ScriptedServer.closedPort())"
        let run = await CommandLine(url: url, key: "fmsgk_k_s").run("inbox")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
        #expect(run.err.contains(url.dropFirst("http://".count)))
    }

    @Test func aServerThatSpeaksNoTLS() async throws {
        let server = try ScriptedServer(answering: { _ in .json("[]") })
        defer { server.stop() }
        let url = server.url.replacing("http:", with: "https:")
        let run = await CommandLine(url: url, key: "fmsgk_k_s").run("inbox")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
    }

    @Test(arguments: [
        ("<html><body>Welcome</body></html>", "text/html"), ("", "application/json"),
        (#"[{"id":1}"#, "application/json"), (#"{"messages":[]}"#, "application/json"),
        (#"[1,2]"#, "application/json"), (#"[{"from":"@a@b"}]"#, "application/json"),
        (#"[{"id":9223372036854775808}]"#, "application/json"),
        (#"[{"id":1,"to":"@a@b"}]"#, "application/json"), (#""x""#, "application/json"),
    ])
    func anAnswerOfAnotherShape(_ body: String, _ type: String) async throws {
        let run = try await run(
            .answer(status: 200, headers: ["Content-Type: \(type)"], body: Array(body.utf8)),
            "inbox", "--json")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
        #expect(run.err.contains("GET /fmsg"))
    }

    @Test func anErrorPageIsShownAsABoundedPreview() async throws {
        let page = "<html>\u{1B}]0;x\u{7}" + String(repeating: "<p>Bad gateway</p>\n", count: 1000)
        let run = try await run(
            .answer(status: 502, headers: ["Content-Type: text/html"], body: Array(page.utf8)),
            "inbox")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
        #expect(run.err.utf8.count < 400 && !run.err.contains("\u{1B}"))
    }

    @Test func aTruncatedBody() async throws {
        let run = try await run(
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[{\"id\":1"), "inbox")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
    }

    @Test func aHundredMegabytesWhereAListBelongs() async throws {
        let item = Array(
            #"{"id":1,"from":"@a@b","short_text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},"#.utf8)
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            let block = Array(repeatElement(item, count: 10_000).joined())
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n[")
            for _ in 0..<140 { guard connection.write(block) else { return } }
        }
        defer { server.stop() }
        var line = CommandLine(url: server.url, key: nil)
        line.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@a@b"}"#)
        let run = await line.run("inbox", "--json")
        #expect(run.exitCode == .hostUnavailable && isOneLine(run))
    }

    @Test func aHostWithoutTheRouteIsUnsupported() async throws {
        let host = try TestHost { $0.generation = .july2026 }
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        let run = await CommandLine(host, as: "bob").run("react", id, "👍", "--json")
        #expect(run.exitCode == .refused)
        #expect(try JSON.read(run.err)["error"]?["code"] == .string("unsupported"))
    }

    @Test func anOlderHostServesTheRest() async throws {
        let host = try TestHost { $0.generation = .july2026 }
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let bob = CommandLine(host, as: "bob")
        let long = String(repeating: "é", count: 2000)
        let root = try await alice.send("@bob@example.com", long, "--topic", "T")
        let reply = try await bob.run("reply", root, "yes", "--json").json["id"]?.text ?? ""
        let thread = try await alice.run("thread", reply, "--json").json
        #expect(thread["root_id"]?.text == root && thread["complete"] == .bool(true))
        #expect(thread["messages"]?[0]?["body"]?["text"] == .string(long))
        #expect(thread["messages"]?[0]?["terminal"] == nil)
        #expect(try await bob.run("show", root, "--json").json["body"]?["text"] == .string(long))
        #expect(await bob.run("mark-read", root).exitCode == .done)
        #expect(await alice.run("sent").lines.count == 1)
    }

    @Test(arguments: [
        (["send", "bob@example.com", "hi"], "nobody to send to"),
        (["send", "@bob", "hi"], "the domain is missing"),
        (["send", "@bob@example.com", "@not an@address"], "but not U+0020"),
        (["send", "@a..b@example.com", "hi"], "next to each other"),
        (["send", "@bob@example.com"], "no text"),
        (["send", "@bob@example.com", "a", "b"], "more than one text"),
        (["send", "@bob@example.com", "a", "-m", "b"], "more than one text"),
        (["send", "--to", "bob", "hi"], "not in the directory"),
        (["send", "@bob@example.com", "-F", "/nonexistent/file"], "/nonexistent/file"),
        (["show", "0"], "between 1 and"), (["show", "9223372036854775808"], "between 1 and"),
        (["show", "abc"], "named by its id"), (["show"], "REF"), (["react", "1"], "one emoji"),
        (["react", "1", "👍", "--clear"], "one emoji"), (["inbox", "-n", "0"], "whole number"),
        (["inbox", "--since", "yesterday"], "RFC 3339"), (["inbox", "--nonsense"], "--nonsense"),
        (["inbox", "--unraed"], "--unread"), (["inbox", "extra"], "extra"),
        (["reply", "1"], "no text"), (["mark-raed", "1"], "mark-read"),
        (["frobnicate"], "inbox"), (["inbox", "--fields", "id,nonsense"], "topic"),
        (["inbox", "--json", "--fields", "nonsense"], "short_text"),
        (["login", "fmsgk_id_verysecret"], "never given as an argument"),
        (["login", "-", "fmsgk_id_verysecret"], "unexpected operand"),
        (["login", "--as", "fmsgk_id_verysecret"], "must begin with @"),
        (["--profile=fmsgk_id_verysecret", "whoami"], "never given as an argument"),
        (["agent", "--exec", "true", "--type", ""], "media type"),
        (["send", "@bob@example.com", "x", "--type", "text/a\nb"], "media type"),
        (["draft", "detach", "1", ".."], "no attachment has such a name"),
        (["--profile=", "whoami"], "1 to 100 bytes"), (["agent", "--exec", " "], "a command"),
        (["watch", "--exec", ""], "a command"), (["body", "1", "-o", ""], "a path"),
    ])
    func aWrongLineIsTold(_ arguments: [String], _ words: String) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = await CommandLine(host, as: "alice").run(arguments)
        let isFile = arguments.contains("-F")
        #expect(run.exitCode == (isFile ? .failed : .usage))
        #expect(run.err.contains(words), "\(run.err)")
        #expect(isOneLine(run) && !run.err.contains("verysecret"))
        #expect(!host.requests.all.contains("POST /fmsg"))
    }

    /// Field case F26.
    @Test func theLargestIdGoesThroughEveryCommand() async throws {
        let host = try TestHost { $0.firstMessageId = .max }
        defer { host.stop() }
        let id = "9223372036854775807"
        #expect(try await CommandLine(host, as: "alice").send("@bob@example.com", "hi") == id)
        let bob = CommandLine(host, as: "bob")
        #expect(await bob.run("inbox").out.hasPrefix(id + "\t"))
        #expect(await bob.run("inbox", "--json").out.contains("\"id\":\(id),"))
        #expect(await bob.run("show", id, "--json").out.hasPrefix("{\"id\":\(id),"))
        #expect(await bob.run("show", "-1", "--json").out.hasPrefix("{\"id\":\(id),"))
        #expect(await bob.run("thread", id, "--json").out.contains("\"root_id\":\(id),"))
        #expect(await bob.run("mark-read", id, "--json").out.hasPrefix("[{\"id\":\(id),"))
        #expect(
            await bob.run("reply", id, "x", "--dry-run", "--json").out.contains("\"pid\":\(id)"))
        #expect(await bob.run("body", id, "--json").out.hasPrefix("{\"id\":\(id),"))
        #expect(await bob.run("show", id, "--delivery").out.hasPrefix(id + "\t"))
        #expect(await bob.run("mark-read", "-", input: id).out.hasPrefix(id + "\t"))
        #expect(
            await bob.run("add-to", id, "@carol@example.com", "--json").out
                .hasPrefix("{\"id\":\(id),"))
        #expect(await bob.run("download", id).err.contains("message \(id) has no"))
    }

    @Test func theLargestIdMayBeThatOfADraft() async throws {
        let host = try TestHost { $0.firstMessageId = .max }
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        let alice = CommandLine(host, as: "alice")
        let id = "9223372036854775807"
        let lines: [[String]] = [
            ["create", "@bob@example.com", "x"], ["edit", id, "y"],
            ["attach", id, rig.path("a")], ["detach", id, "a"], ["list"], ["show", id],
            ["send", id],
        ]
        for line in lines {
            let run = await alice.run(["draft"] + line + ["--json"])
            #expect(run.exitCode == .done && run.out.contains("\"id\":\(id),"), "\(run.err)")
        }
    }
}
