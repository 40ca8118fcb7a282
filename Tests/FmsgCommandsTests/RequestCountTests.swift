import CommandLineTool
import FmsgCore
import FmsgHost
import FmsgTransport
import TestSupport
import Testing

/// How many requests each command makes: counted at the host.
@Suite struct RequestCountTests {
    /// Runs a command with a token at hand and gives the requests that the host saw.
    private func requests(
        _ host: TestHost, _ user: CommandLine, _ arguments: String...
    ) async throws -> [String] {
        _ = await user.run("whoami")
        host.requests.clear()
        let run = await user.run(arguments)
        try #require(run.exitCode == .done, "\(run.err)")
        return host.requests.all
    }

    @Test func eachCommandMakesAsManyAsItNeeds() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-cache")
        defer { folder.remove() }
        let bob = CommandLine(url: host.url, key: host.key("bob"), cache: folder.path)
        let alice = CommandLine(host, as: "alice")
        let long = String(repeating: "long ", count: 400)
        let short = try await alice.send("@bob@example.com", "short")
        let whole = try await alice.send("@bob@example.com", long)

        #expect(try await requests(host, bob, "whoami") == [])
        #expect(try await requests(host, bob, "inbox") == ["GET /fmsg"])
        #expect(try await requests(host, bob, "inbox", "-n", "100") == ["GET /fmsg"])
        #expect(try await requests(host, bob, "show", short) == ["GET /fmsg/\(short)"])
        #expect(
            try await requests(host, bob, "show", whole)
                == ["GET /fmsg/\(whole)", "GET /fmsg/\(whole)/data"])
        #expect(
            try await requests(host, bob, "show", "-2")
                == ["GET /fmsg", "GET /fmsg/\(short)"])
        #expect(
            try await requests(host, bob, "thread", short)
                == ["GET /fmsg/\(short)/thread/messages"])
        #expect(try await requests(host, bob, "send", "@alice@example.com", "x").count == 2)
        let reply = try await requests(host, bob, "reply-all", short, "x")
        #expect(reply.count == 3 && reply.first == "GET /fmsg/\(short)")
        #expect(
            try await requests(host, bob, "react", short, "👍") == ["POST /fmsg/\(short)/react"])
        #expect(
            try await requests(host, bob, "body", short)
                == ["GET /fmsg/\(short)", "GET /fmsg/\(short)/data"])
        #expect(
            try await requests(host, bob, "show", short, "--delivery") == ["GET /fmsg/\(short)"])
        #expect(
            try await requests(host, bob, "add-to", short, "@carol@example.com")
                == ["POST /fmsg/\(short)/add-to"])
        #expect(
            try await requests(host, bob, "send", "@alice@example.com", "x", "--wait").count == 3)
        #expect(
            try await requests(host, bob, "draft", "create", "@alice@example.com", "x")
                == ["POST /fmsg"])
        #expect(
            try await requests(host, bob, "mark-read", short, whole).sorted()
                == ["POST /fmsg/\(short)/read", "POST /fmsg/\(whole)/read"].sorted())
    }

    @Test func aTokenCostsOneRequestOnlyWhenNoneIsCached() async throws {
        let host = try TestHost()
        defer { host.stop() }
        host.requests.clear()
        _ = await CommandLine(host, as: "bob").run("inbox")
        #expect(host.requests.all == ["POST /fmsg/token", "GET /fmsg"])
    }

    @Test func aListOfManyPagesAsksOncePerHundred() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let client = try FmsgClient.of(host, "alice")
        for number in 0..<205 {
            try await client.send(NewMessage(to: ["@bob@example.com"], text: "\(number)"))
        }
        let bob = CommandLine(host, as: "bob")
        host.requests.clear()
        // Field case F19: one array, however many pages.
        let two = await bob.run("inbox", "-n", "200", "--json")
        #expect(try two.json.array?.count == 200)
        #expect(host.requests.all.count { $0 == "GET /fmsg" } == 2)
        host.requests.clear()
        let all = await bob.run("inbox", "--all", "--jsonl")
        #expect(all.lines.count == 205)
        #expect(try all.lines.allSatisfy { try JSON.read($0).object != nil })
        #expect(host.requests.all.count { $0 == "GET /fmsg" } == 3)
        let found = await bob.run("inbox", "--all", "--from", "@ALICE@example.com", "--json")
        #expect(try found.json.array?.count == 205)
    }
}
