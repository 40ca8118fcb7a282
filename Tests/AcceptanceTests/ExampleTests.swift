import TestSupport
import Testing

/// The programs in `examples/`, run for real.
@Suite struct ExampleTests {
    @Test func theEchoAgentAnswersAndFallsSilent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = Shell(host, as: "alice")
        #expect(try await alice.run("fmsg send @bob@example.com 'hello' -t T").status == 0)
        let agent = try BuiltProgram(
            "echo-agent", [],
            environment: ["FMSG_API_URL": host.url, "FMSG_API_KEY": host.key("bob")])
        defer {
            agent.send(9)
            Task { await agent.wait() }
        }
        // Two agents: Alice answers each answer, until Bob's cap ends it.
        var last = 1
        for round in 0..<3 {
            #expect(try await agent.readLine() == "answered \(last) with \(last + 1)")
            #expect(try await alice.run("fmsg reply \(last + 1) 'and round \(round)'").status == 0)
            last += 2
        }
        // The fourth is marked and not answered; a message of another thread is.
        #expect(try await alice.run("fmsg send @bob@example.com 'anew'").status == 0)
        #expect(try await agent.readLine() == "answered \(last + 1) with \(last + 2)")
        #expect(try await Shell(host, as: "bob").run("fmsg sent | wc -l").out == "4\n")
    }
}
