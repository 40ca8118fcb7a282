import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// Many messages at once.
@Suite struct SeveralTests {
    /// Messages of Alice to Bob; their ids, oldest first.
    private func fill(_ host: TestHost, _ count: Int) async throws -> [String] {
        let client = try FmsgClient.of(host, "alice")
        var ids: [String] = []
        for number in 0..<count {
            let sent = try await client.send(
                NewMessage(to: ["@bob@example.com"], text: "text \(number)"))
            ids.append(String(sent.id))
        }
        return ids
    }

    @Test func aListIsReadFromStandardInput() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let ids = try await fill(host, 12)
        let bob = CommandLine(host, as: "bob")
        // The lines of a list go in as they are, also with carriage returns.
        let list = await bob.run("inbox", "-n", "5")
        let some = await bob.run("mark-read", "-", input: list.out)
        #expect(
            some.lines.map { $0.prefix { $0 != "\t" } } == ids.reversed().prefix(5).map { $0[...] })
        let shown = await bob.run(
            "show", "-", "--json", input: "\(ids[0])\r\n\n \(ids[1]) and more\n\(ids[2])")
        #expect(
            try shown.json.array?.compactMap { $0["body"]?["text"]?.string }
                == ["text 0", "text 1", "text 2"])
        #expect(await bob.run("mark-read", "-", "--json", input: "").out == "[]\n")
        #expect(await bob.run("show", "-", "--json", input: "\(ids[0])\n").out.hasPrefix("[{"))
        let wrong = await bob.run("mark-read", "-", input: "\(ids[0])\nmany\n")
        #expect(wrong.exitCode == .usage)
        #expect(wrong.err.contains("standard input, line 2: \"many\""))
    }

    @Test func allThatIsUnreadIsMarkedAndNothingElse() async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await fill(host, 110)
        _ = try await FmsgClient.of(host, "alice").createDraft(
            NewMessage(to: ["@bob@example.com"], text: "draft"))
        let bob = CommandLine(host, as: "bob")
        _ = await bob.run("mark-read", "-2", "-3")
        host.requests.clear()
        let all = await bob.run("mark-read", "--all", "--json")
        #expect(all.exitCode == .done, "\(all.err)")
        #expect(try all.json.array?.count == 108)
        #expect(
            host.requests.all.count { $0.hasPrefix("POST /fmsg/") && $0.hasSuffix("/read") } == 108)
        #expect(await bob.run("inbox", "--unread", "--all").out.isEmpty)
        #expect(await bob.run("mark-read", "--all").out.isEmpty)
        #expect(await bob.run("mark-read", "--all", "1").exitCode == .usage)
        #expect(await bob.run("mark-read").exitCode == .usage)
    }

    @Test func severalAreShownInTheOrderOfTheLine() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let ids = try await fill(host, 40)
        let bob = CommandLine(host, as: "bob")
        let order = ids.shuffled()
        let shown = await bob.run(["show", "--json"] + order)
        #expect(try shown.json.array?.compactMap { $0["id"]?.int64.map { String($0) } } == order)
        // One walk for all of them, and each is told.
        host.requests.clear()
        let newest = await bob.run("show", "-1", "-3", "-2", "--jsonl")
        #expect(newest.lines.count == 3)
        #expect(host.requests.all.count { $0 == "GET /fmsg" } == 1)
        #expect(newest.err.contains("-3 is message \(ids[37])"))
        #expect(await bob.run("show", "-1", "-41").exitCode == .notFound)
    }

    @Test func eightConnectionsAreKeptAndNoMore() async throws {
        let server = try ScriptedServer(answering: { request in
            let id = request.path.split(separator: "/").last ?? ""
            return .json(#"{"from":"@a@b","time":1,"topic":"\#(id)"}"#)
        })
        defer { server.stop() }
        var bob = CommandLine(url: server.url, key: nil)
        bob.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@bob@example.com"}"#)
        let shown = await bob.run(
            "show", "-", "--jsonl", input: (1...200).map { "\($0)\n" }.joined())
        #expect(shown.exitCode == .done, "\(shown.err)")
        #expect(
            try shown.lines.map { try JSON.read($0)["topic"] } == (1...200).map { .string("\($0)") }
        )
        #expect(server.connectionCount <= 8)
    }

    @Test func aFailureOfOneHoldsUpNoOther() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let ids = try await fill(host, 2)
        let bob = CommandLine(host, as: "bob")
        let some = await bob.run("show", ids[0], "999", ids[1], "--json")
        #expect(some.exitCode == .someFailed)
        #expect(try some.json.array?.count == 2)
        let errors = try some.err.split(separator: "\n").map { try JSON.read(String($0)) }
        #expect(errors.count == 2 && errors.first?["error"]?["id"] == .integer(999))
        let none = await bob.run("show", "998", "999")
        #expect(none.exitCode == .notFound && none.out.isEmpty)
    }
}
