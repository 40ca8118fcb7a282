import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// The plain `watch`, over a real socket.
@Suite struct WatchTests {
    @Test func whatArrivesIsPrinted() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        _ = try await alice.send("@bob@example.com", "before")
        let bob = CommandLine(host, as: "bob")
        let watch = try bob.start("watch", "--once", "--json")
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        _ = try await alice.send("@bob@example.com", "after", "-t", "T")
        let event = try JSON.read(try await watch.nextLine())
        #expect(event["type"] == .string("new_msg"))
        #expect(event["data"]?["short_text"] == .string("after"))
        #expect(event["data"]?["time_rfc3339"]?.string != nil)
        #expect(await watch.exitCode() == .done)
    }

    /// On hosts that tell of it, someone added late gets no `new_msg` (web API, section 7).
    @Test func beingAddedIsAnArrival() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        let watch = try CommandLine(host, as: "carol").start("watch", "--json")
        _ = try await watch.nextLine()
        _ = try await FmsgClient.of(host, "bob").add(
            ["@carol@example.com"], to: try #require(Int64(id)))
        let event = try JSON.read(try await watch.nextLine())
        #expect(event["data"]?["id"]?.text == id)
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
    }

    @Test func whatIsUnreadIsPrintedFirstWhenAskedFor() async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "before")
        let run = await CommandLine(host, as: "bob").run("watch", "--once", "--unread")
        #expect(run.exitCode == .done && run.out.contains("before"))
    }

    @Test func nothingThatCameIsAnExitCode() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = await CommandLine(host, as: "bob").run("watch", "--timeout", "0")
        #expect(run.exitCode == .nothingCame)
    }

    @Test func aRefusedUpgradeIsTheHostsRefusal() async throws {
        let server = try ScriptedServer(answering: { _ in
            .json(#"{"error":"invalid token"}"#, status: 401)
        })
        defer { server.stop() }
        var line = CommandLine(url: server.url, key: nil)
        line.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@a@b"}"#)
        let run = await line.run("watch")
        #expect(run.exitCode == .notAuthenticated && run.err.contains("invalid token"))
    }

    @Test func aLostConnectionIsSaid() async throws {
        let host = try TestHost()
        let bob = CommandLine(host, as: "bob")
        let watch = try bob.start("watch", "--json")
        _ = try await watch.nextLine()
        host.stop()
        #expect(await watch.exitCode() == .hostUnavailable)
    }
}
