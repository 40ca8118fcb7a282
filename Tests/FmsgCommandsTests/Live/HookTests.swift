import CommandLineTool
import FmsgCore
import FmsgHost
import Glibc
import TestSupport
import Testing

/// The command of `watch --exec`, run for real.
@Suite struct HookTests {
    private func hooked(_ host: TestHost, _ fifo: Fifo) -> CommandLine {
        var bob = CommandLine(host, as: "bob")
        bob.environment["PATH"] = "/usr/bin:/bin"
        bob.environment["PIPE"] = fifo.path
        return bob
    }

    @Test func theEventReachesItByInputAndEnvironmentAlone() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let fifo = try Fifo()
        let alice = CommandLine(host, as: "alice")
        let long = String(repeating: "long é ", count: 300)
        // Field case F32: a topic that would harm a shell.
        let topic = "$(touch \(fifo.folder.path)/owned); `id`\" 'x"
        _ = try await alice.send("@bob@example.com", long, "--topic", topic)
        let watch = try hooked(host, fifo).start(
            "watch", "--unread", "--json", "--exec",
            "cat > \"$PIPE\"; env | grep ^FMSG_ | sort > \"$PIPE\"; echo talk")
        let input = try JSON.read(try await fifo.nextLine())
        #expect(input["type"] == .string("new_msg"))
        #expect(input["me"]?["address"] == .string("@bob@example.com"))
        #expect(input["data"]?["body"]?["text"] == .string(long))
        #expect(try await fifo.nextLine() == "FMSG_API_URL=\(host.url)")
        #expect(try await fifo.nextLine() == "FMSG_EVENT=new_msg")
        #expect(try await fifo.nextLine() == "FMSG_FROM=@alice@example.com")
        #expect(try await fifo.nextLine() == "FMSG_MESSAGE_ID=1")
        #expect(try await fifo.nextLine() == "FMSG_TOPIC=\(topic)")
        #expect(try JSON.read(try await watch.nextLine())["data"]?["id"] == .integer(1))
        // What a hook prints is talk, never data.
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        #expect(try LocalFileSystem().status(fifo.folder.path + "/owned") == nil)
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
    }

    /// One after the other, in order; a failure, a hook that reads nothing and one that dies stop
    /// nothing.
    @Test func hooksRunInOrderWhateverTheyDo() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let fifo = try Fifo()
        let alice = CommandLine(host, as: "alice")
        let large = String(repeating: "0123456789", count: 100_000)
        for _ in 0..<4 { _ = try await alice.send("@bob@example.com", "-m", large) }
        let watch = try hooked(host, fifo).start(
            "watch", "--unread", "--exec",
            """
            echo "$FMSG_MESSAGE_ID" > "$PIPE"
            case $FMSG_MESSAGE_ID in 1) exit 3;; 2) kill -9 $$;; 3) exec < /dev/null;; esac
            """)
        for id in 1...4 { #expect(try await fifo.nextLine() == "\(id)") }
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
        #expect(watch.said.contains("message 1 ended with exit status 3"))
        #expect(watch.said.contains("message 2 was ended by signal 9"))
    }

    @Test func severalMayRunAtOnce() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let fifo = try Fifo()
        let alice = CommandLine(host, as: "alice")
        for _ in 0..<2 { _ = try await alice.send("@bob@example.com", "x") }
        // The first one ends only once the second has begun.
        let watch = try hooked(host, fifo).start(
            "watch", "--unread", "--jobs", "2", "--exec",
            """
            if [ "$FMSG_MESSAGE_ID" = 1 ]; then
                mkfifo "$PIPE.2" 2>/dev/null; read -r line < "$PIPE.2"; echo "$line" > "$PIPE"
            else
                mkfifo "$PIPE.2" 2>/dev/null; echo together > "$PIPE.2"
            fi
            """)
        #expect(try await fifo.nextLine() == "together")
        watch.cancel()
        _ = await watch.exitCode()
    }

    @Test func aSignalEndsAHookThatHangs() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let fifo = try Fifo()
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "x")
        let watch = try hooked(host, fifo).start(
            "watch", "--unread", "--exec", "echo $$ > \"$PIPE\"; exec sleep 1000")
        let pid = try #require(Int32(try await fifo.nextLine()))
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
        #expect(kill(pid, 0) != 0)
    }

    /// A body that cannot be had at once is asked for again.
    @Test func noHookIsLostWithOneAnswer() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let fifo = try Fifo()
        let long = String(repeating: "long ", count: 300)
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "-m", long)
        let proxy = try FaultProxy(to: host.url) { request, number in
            request.path.hasSuffix("/data") && number == 0
                ? .answered(.json(#"{"error":"away"}"#, status: 503)) : .none
        }
        defer { proxy.stop() }
        var bob = CommandLine(url: proxy.url, key: host.key("bob"))
        bob.environment["PATH"] = "/usr/bin:/bin"
        bob.environment["PIPE"] = fifo.path
        let watch = try bob.start("watch", "--unread", "--exec", "wc -c > \"$PIPE\"")
        #expect((Int(try await fifo.nextLine().filter { $0 != " " }) ?? 0) > 1500)
        watch.cancel()
        #expect(await watch.exitCode() == .interrupted)
    }
}
