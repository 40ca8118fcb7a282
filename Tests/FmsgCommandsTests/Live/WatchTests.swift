import CommandLineTool
import FmsgCore
import FmsgHost
import Synchronization
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

    /// Field case F11, as a script sees it.
    @Test func aLostConnectionIsSaidAndMadeAgain() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try FaultProxy(to: host.url) { request, number in
            request.path == "/fmsg/ws" && number == 0 ? .socketCut(after: 200) : .none
        }
        defer { proxy.stop() }
        let bob = CommandLine(url: proxy.url, key: host.key("bob"))
        let watch = try bob.start("watch", "--json")
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "now")
        let lost = try JSON.read(try await watch.nextLine())
        #expect(lost["type"] == .string("disconnected"))
        #expect(
            lost["reason"]?.string != nil && (0.8...1.2).contains(lost["retry_in"]?.double ?? 0))
        #expect(try JSON.read(try await watch.nextLine())["data"]?["id"]?.text == id)
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
    }

    @Test func onlyWhatIsAskedForIsPrinted() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let carol = CommandLine(host, as: "carol")
        let root = try await alice.send("@bob@example.com", "@carol@example.com", "root")
        let bob = CommandLine(host, as: "bob")
        let byCarol = try bob.start("watch", "--from", "@CAROL@example.com", "--json")
        let inThread = try bob.start("watch", "--thread", root, "--json")
        let updates = try alice.start("watch", "--events", "delivered,reaction", "--json")
        _ = try await inThread.nextLine()
        _ = try await updates.nextLine()
        _ = try await byCarol.nextLine()
        _ = try await alice.send("@bob@example.com", "another thread")
        let reply = try await carol.run("reply-all", root, "in the thread", "--json").json
        let branch = await carol.run("reply", root, "--to", "@bob@example.com", "again", "--json")
        _ = await bob.run("react", root, "👍")
        #expect(try await byCarol.nextLine().contains("in the thread"))
        let first = try JSON.read(try await inThread.nextLine())
        #expect(first["data"]?["id"] == reply["id"])
        let second = try JSON.read(try await inThread.nextLine())
        #expect(second["data"]?["id"] == (try branch.json["id"]))
        let delivered = try JSON.read(try await updates.nextLine())
        #expect(delivered["type"] == .string("delivered"))
        let reacted = try JSON.read(try await updates.nextLine())
        #expect(reacted["type"] == .string("reaction"))
        #expect(reacted["data"]?["reactions"]?[0]?["emoji"] == .string("👍"))
    }

    @Test(arguments: [
        ["--events", "poke"], ["--jobs", "0"], ["--poll", "x"], ["--thread", "abc"],
    ])
    func aWrongOptionIsTold(_ options: [String]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        #expect(await CommandLine(host, as: "bob").run(["watch"] + options).exitCode == .usage)
    }

    /// A lookup that fails is made again, and a conversation too deep to be known ends nothing.
    @Test(arguments: [404, 422, 503])
    func aFailedLookupEndsNoWatchOfAThread(_ status: Int) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let root = try await alice.send("@bob@example.com", "base")
        let asked = Mutex(0)
        let proxy = try FaultProxy(to: host.url) { request, _ in
            guard request.path.hasPrefix("/fmsg/thread") || request.path.contains("/thread/")
            else { return .none }
            // The first is that of the command line; the second that of the first event.
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return number == 2
                ? .answered(.json(#"{"error":"not now"}"#, status: status)) : .none
        }
        defer { proxy.stop() }
        let bob = CommandLine(url: proxy.url, key: host.key("bob"))
        let watch = try bob.start("watch", "--thread", root, "--jsonl")
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        // Its parent is unknown to the watch, so that it has to look.
        let carol = CommandLine(host, as: "carol")
        let other = try await carol.send("@bob@example.com", "another")
        let deep = await carol.run("reply", other, "deeper")
        #expect(deep.exitCode == .done)
        let reply = try await alice.run("reply", root, "in the thread", "--json").json
        #expect(try await watch.nextLine().contains("in the thread"), "\(reply)")
        #expect(asked.withLock { $0 } >= 2)
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
    }
}
