import CommandLineTool
import FmsgHost
import Glibc
import Synchronization
import TestSupport
import Testing

/// Field case F4: the built agent, killed with SIGKILL wherever that can hurt, and started again.
@Suite struct AgentTests {
    /// What an undisturbed run asks of the host once it holds its lock.
    private static let requests = 8

    private func agent(_ url: String, _ host: TestHost, _ state: String, _ handler: String) throws
        -> BuiltProgram
    {
        try BuiltProgram(
            "fmsg", ["agent", "--once", "--exec", handler],
            environment: [
                "FMSG_API_URL": url, "FMSG_API_KEY": host.key("bob"), "FMSG_STATE_DIR": state,
                "PATH": "/usr/bin:/bin",
            ])
    }

    private func expectOneReply(_ host: TestHost, _ script: String) async throws {
        let replies = try await Shell(host, as: "alice").run(
            "fmsg inbox --all --json | jq 'map(select(.pid)) | length'")
        #expect(replies.out == "1\n", "\(script)")
        let unread = try await Shell(host, as: "bob").run("fmsg inbox --unread --all | wc -l")
        #expect(unread.out == "0\n", "\(script): left unread")
        let drafts = try await Shell(host, as: "bob").run("fmsg sent --drafts --all | wc -l")
        #expect(drafts.out == "1\n", "\(script): left a draft")
    }

    /// The agent is killed before the host hears of the request, or after it has done what was
    /// asked.
    @Test(arguments: 0..<requests, [false, true])
    func killedAtAnyRequestItAnswersOnce(_ number: Int, _ isDone: Bool) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        #expect(try await Shell(host, as: "alice").run("fmsg send @bob@example.com hi").status == 0)
        let log = RequestLines()
        let proxy = try FaultProxy(to: host.url) { request, _ in
            guard request.path != "/fmsg/token", log.add(request) == number,
                let holder = Self.lockHolder(state.path)
            else { return .none }
            if isDone { return .answerLostAfter { kill(holder, SIGKILL) } }
            kill(holder, SIGKILL)
            return .requestLost
        }
        defer { proxy.stop() }
        let first = try agent(proxy.url, host, state.path, "printf answer")
        #expect(
            await first.wait() == 128 + SIGKILL, "request \(number) was not reached: \(log.all)")
        let second = try agent(proxy.url, host, state.path, "printf answer")
        #expect(await second.wait() == 0)
        try await expectOneReply(host, "\(number), \(isDone): \(log.all)")
    }

    /// The handler kills the agent that runs it, before it has said a word.
    @Test func killedWhileTheHandlerRunsItAnswersOnce() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        #expect(try await Shell(host, as: "alice").run("fmsg send @bob@example.com hi").status == 0)
        let first = try agent(host.url, host, state.path, "printf answer; kill -9 $PPID")
        #expect(await first.wait() == 128 + SIGKILL)
        let second = try agent(host.url, host, state.path, "printf answer")
        #expect(await second.wait() == 0)
        try await expectOneReply(host, "while the handler ran")
    }

    /// The disk is full when the agent writes down what it will answer: half of the line is all
    /// that finds room. Nothing is sent, and the next run answers once.
    @Test(.enabled(if: !BuiltProgram.isSanitized))
    func aFullDiskAnswersNothing() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        #expect(try await Shell(host, as: "alice").run("fmsg send @bob@example.com hi").status == 0)
        var bob = Shell(host, as: "bob")
        bob.environment["FMSG_STATE_DIR"] = state.path
        bob.environment["FMSG_NO_TOKEN_CACHE"] = "1"
        // A ledger that leaves less than a record of the 512 bytes that a file may have here.
        let full = try await bob.run(
            """
            fmsg agent --once --exec 'exit 1' >/dev/null
            ledger=$(echo "$FMSG_STATE_DIR"/*.jsonl)
            : >"$ledger"
            for id in 900 901 902 903 904 905 906 907; do
                printf '{"record":"answered","id":%s,"root_id":1,"reply_id":null}\\n' $id
            done >"$ledger"
            [ "$(wc -c <"$ledger")" -lt 512 ] || exit 99
            trap '' XFSZ
            ulimit -f 1
            fmsg agent --once --exec 'printf answer' 2>&1
            """)
        #expect(full.status == 1, "\(full.out)")
        #expect(full.out.split(separator: "\n").count == 1, "\(full.out)")
        #expect(full.out.contains("File too large"), "\(full.out)")
        #expect(try await Shell(host, as: "alice").run("fmsg inbox --all | wc -l").out == "0\n")
        #expect(try await agent(host.url, host, state.path, "printf answer").wait() == 0)
        try await expectOneReply(host, "a full disk")
    }

    @Test func aSignalEndsItWithItsCode() async throws {
        let host = try TestHost()
        defer { host.stop() }
        for (signal, code) in [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)] {
            let state = try TemporaryFolder(prefix: "fmsg-test-state")
            defer { state.remove() }
            let live = try BuiltProgram(
                "fmsg", ["agent", "--json", "--exec", "printf answer"],
                environment: [
                    "FMSG_API_URL": host.url, "FMSG_API_KEY": host.key("bob"),
                    "FMSG_STATE_DIR": state.path,
                ])
            #expect(try await live.readLine() == #"{"type":"ready"}"#)
            live.send(signal)
            #expect(await live.wait() == code)
        }
    }

    /// timeout(1) signals a process and then its group, a person presses Ctrl-\\: however the agent
    /// ends, its handler ends, too.
    @Test(arguments: [[SIGTERM, SIGTERM], [SIGQUIT]])
    func noSignalLeavesItsHandlerBehind(_ signals: [Int32]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let state = try TemporaryFolder(prefix: "fmsg-test-state")
        defer { state.remove() }
        #expect(try await Shell(host, as: "alice").run("fmsg send @bob@example.com hi").status == 0)
        let pipe = "\(state.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try BuiltProgram("/bin/cat", [pipe])
        let first = try agent(
            host.url, host, state.path,
            "trap '' TERM; echo $$ >'\(pipe)'; while :; do sleep 1000; done")
        let handler = try #require(pid_t(try await reader.readLine()))
        for signal in signals { first.send(signal) }
        #expect(await first.wait() == 128 + signals[0])
        let status = (try? LocalFileSystem().read("/proc/\(handler)/status", limit: 1 << 16)) ?? []
        #expect(status.isEmpty || String(decoding: status, as: UTF8.self).contains("State:\tZ"))
        _ = await reader.wait()
    }

    private static func lockHolder(_ folder: String) -> pid_t? {
        let files = LocalFileSystem()
        guard let names = try? files.list(folder),
            let name = names.first(where: { $0.hasSuffix(".lock") }),
            let bytes = try? files.read("\(folder)/\(name)", limit: 32)
        else { return nil }
        return pid_t(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
    }
}

/// The requests that came, for a report.
private final class RequestLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    /// - Returns: how many came before it.
    func add(_ request: ScriptedRequest) -> Int {
        lines.withLock { lines in
            lines.append("\(request.method) \(request.path)")
            return lines.count - 1
        }
    }
}
