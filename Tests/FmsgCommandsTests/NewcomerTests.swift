import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// What people who used it for the first time stumbled over.
@Suite struct NewcomerTests {
    /// An unknown name is refused before anything is done, in every form of every command.
    @Test(arguments: [
        ["send", "@bob@example.com", "x", "--json"], ["send", "@bob@example.com", "x"],
        ["reply", "1", "x", "--json"], ["react", "1", "👍", "--json"], ["mark-read", "1", "--json"],
        ["mark-read", "1"], ["show", "1"], ["thread", "1", "--json"], ["whoami"], ["watch"],
        ["watch", "--json"], ["inbox"], ["inbox", "--jsonl"], ["login", "-", "--json"], ["help"],
        ["download", "1"], ["body", "1", "--json"], ["add-to", "1", "@a@b", "--json"],
        ["draft", "create", "@a@b", "x", "--json"], ["draft", "list"], ["draft", "send", "1"],
        ["draft", "edit", "1", "x", "--json"], ["draft", "delete", "1", "--json"],
    ])
    func anUnknownFieldIsRefusedBeforeTheDeed(_ line: [String]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        host.requests.clear()
        let run = await CommandLine(host, as: "bob").run(line + ["--fields", "nope"])
        #expect(run.exitCode == .usage && run.out.isEmpty)
        #expect(host.requests.all.isEmpty)
    }

    @Test func fieldsPickWhatIsThere() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let sent = await alice.run("send", "@bob@example.com", "x", "--json", "--fields", "id,to")
        #expect(sent.out == "{\"id\":1,\"to\":[\"@bob@example.com\"]}\n")
        let picked = await alice.run("send", "@bob@example.com", "x", "--json", "--fields", "pid")
        #expect(picked.out == "{\"pid\":null}\n")
        #expect(
            await CommandLine(host, as: "bob").run("inbox", "--fields", "id").lines == ["2", "1"])
    }

    /// A host would act as the key's own address without a word.
    @Test(arguments: [["whoami"], ["inbox"], ["mark-read", "1"]])
    func actingAsAnotherNeedsATokenOfAProvider(_ line: [String]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        host.requests.clear()
        let run = await CommandLine(host, as: "alice").run(line + ["--as", "@bob@example.com"])
        #expect(run.exitCode == .usage && host.requests.all.isEmpty)
    }

    @Test func aHomeThatIsNotThereIsNotMade() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { folder.remove() }
        var bob = CommandLine(host, as: "bob")
        bob.environment["HOME"] = folder.path + "/none"
        let run = await bob.run("whoami")
        #expect(run.exitCode == .done && run.err.isEmpty)
        #expect(try LocalFileSystem().list(folder.path).isEmpty)
    }

    @Test func aWatchThatPrintedSomethingDidNotWaitInVain() async throws {
        let host = try TestHost()
        defer { host.stop() }
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        var bob = CommandLine(host, as: "bob")
        let (timeIsUp, clock) = AsyncStream<Void>.makeStream()
        let system = TimeSource.ofSystem
        bob.time = TimeSource(
            now: { system.now }, uptime: { system.uptime },
            sleep: { seconds async throws(CancellationError) in
                guard seconds == 86_400 else { return try await system.sleep(seconds) }
                for await _ in timeIsUp {}
            }, localTime: { system.localTime(Double($0)) })
        let watch = try bob.start("watch", "--unread", "--timeout", "86400")
        #expect(try await watch.nextLine().hasPrefix("1\t"))
        clock.finish()
        #expect(await watch.exitCode() == .done)
    }

    @Test func onesOwnMessageIsNotUnread() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "hi")
        #expect(await CommandLine(host, as: "alice").run("show", id).out.contains("flags\t\n"))
        #expect(await CommandLine(host, as: "bob").run("show", id).out.contains("flags\tunread\n"))
    }

    @Test func aNoReplyParentNamesTheWayOut() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send(
            "@bob@example.com", "news", "--no-reply")
        let run = await CommandLine(host, as: "bob").run("reply", id, "but")
        #expect(run.err.contains("--allow-no-reply"))
    }
}
