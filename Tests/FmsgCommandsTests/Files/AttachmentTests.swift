import CommandLineTool
import FmsgCore
import FmsgHost
import Glibc
import Synchronization
import TestSupport
import Testing

/// Files on their way to a host: all or nothing.
@Suite struct AttachmentTests {
    private static func isAttach(_ request: ScriptedRequest) -> Bool {
        request.path.hasSuffix("/attach")
    }

    private static func isCreation(_ request: ScriptedRequest) -> Bool {
        request.method == "POST" && request.path == "/fmsg"
    }

    /// Expects that Alice has sent nothing and has no draft.
    private func expectNothing(
        on host: TestHost, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let all = await CommandLine(host, as: "alice").run("sent", "--drafts", "--all", "--json")
        #expect(try all.json == .array([]), sourceLocation: sourceLocation)
    }

    @Test func filesGoWithTheMessage() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let bytes = sampleBytes(700_000)
        try rig.write("a.bin", bytes)
        try rig.write("empty", [])
        let alice = CommandLine(host, as: "alice")
        let sent = await alice.run(
            "send", "@bob@example.com", "See both.", "-a", rig.path("a.bin"), "--attach",
            rig.path("empty"), "--json")
        #expect(sent.exitCode == .done, "\(sent.err)")
        let attachments = try sent.json["attachments"]
        #expect(attachments?[0]?["filename"] == .string("a.bin"))
        #expect(attachments?[0]?["size"] == .integer(700_000))
        let bob = CommandLine(host, as: "bob")
        #expect(await bob.run("inbox").out.contains("attachments"))
        #expect(await bob.run("download", "-1", "-o", rig.path, "-f").exitCode == .done)
        #expect(try rig.read("a.bin") == bytes && rig.read("empty").isEmpty)
        let reply = await bob.run("reply", "-1", "Back.", "-a", rig.path("a.bin"))
        #expect(reply.exitCode == .done, "\(reply.err)")
        #expect(try await alice.run("show", "-1", "--json").json["attachments"]?.array?.count == 1)
        // Nothing is requested of a dry run.
        let dry = await alice.run(
            "send", "@bob@example.com", "x", "-a", rig.path("a.bin"), "--dry-run")
        #expect(dry.out.contains("attachments\ta.bin\n"))
    }

    @Test func aRefusalOfTheThirdOfFiveSendsNothing() async throws {
        let host = try TestHost { $0.limits = $0.limits.raised(to: 1000) }
        defer { host.stop() }
        let rig = try FileRig()
        var line = ["send", "@bob@example.com", "x", "--json"]
        for number in 1...5 {
            try rig.write("f\(number)", sampleBytes(number == 3 ? 1001 : 10))
            line += ["-a", rig.path("f\(number)")]
        }
        let run = await CommandLine(host, as: "alice").run(line)
        #expect(run.exitCode == .refused && run.out.isEmpty)
        let error = try JSON.read(run.err)["error"]
        #expect(error?["message"] == .string("attachment exceeds maximum size"))
        #expect(error?["status"] == .integer(413))
        #expect(host.requests.all.count { $0.hasSuffix("/attach") } == 3)
        try await expectNothing(on: host)
    }

    // MARK: Broken connections

    @Test(arguments: [FaultProxy.Fault.requestLost, .answerLost, .answerCut(after: 40)])
    func aLostAnswerIsMadeGood(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", sampleBytes(50_000))
        try rig.write("b", [1])
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isAttach(request) && number == 1 ? fault : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run(
            "send", "@bob@example.com", "x", "-a", rig.path("a"), "-a", rig.path("b"))
        #expect(run.exitCode == .done, "\(run.err)")
        let shown = await CommandLine(host, as: "bob").run("show", "-1", "--json")
        #expect(try shown.json["attachments"]?.array?.count == 2)
    }

    @Test(arguments: 0..<10)
    func anUploadThatIsCutIsRepeated(_ tenth: Int) async throws {
        let total = 1_000_000
        let cuts = Counter()
        let server = try ScriptedServer(connection: { connection in
            while let head = connection.readHead() {
                let length = head.header("Content-Length").flatMap { Int($0) } ?? 0
                let isCut = Self.isAttach(head) && cuts.next() == 0
                var rest = isCut ? length * tenth / 10 : length
                while rest > 0 {
                    let piece = connection.read(atMost: rest)
                    guard !piece.isEmpty else { return }
                    rest -= piece.count
                }
                if isCut { return }
                connection.send(
                    .json(
                        Self.isAttach(head)
                            ? #"{"filename":"a","size":\#(total)}"# : #"{"id":7,"time":1}"#))
            }
        })
        defer { server.stop() }
        let rig = try FileRig()
        try rig.write("a", sampleBytes(total))
        let alice = DownloadTests.commandLine(server)
        let run = await alice.run("send", "@bob@example.com", "x", "-a", rig.path("a"))
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(cuts.value == 2)
    }

    @Test func aHostThatFailsForGoodGetsNothing() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        let proxy = try FaultProxy(to: host.url) { request, _ in
            Self.isAttach(request) ? .requestLost : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "x", "-a", rig.path("a"))
        #expect(run.exitCode == .hostUnavailable)
        #expect(proxy.requests.count(where: Self.isAttach) == 3)
        try await expectNothing(on: host)
    }

    @Test func anInterruptionTakesTheDraftAlong() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.write("a", [1])
        try rig.write("b", [2])
        let command = Mutex<RunningCommand?>(nil)
        let proxy = try FaultProxy(to: host.url) { request, number in
            guard Self.isAttach(request), number == 1 else { return .none }
            command.withLock { $0?.cancel() }
            return .requestLost
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = try command.withLock { command in
            let run = try alice.start(
                "send", "@bob@example.com", "x", "-a", rig.path("a"), "-a", rig.path("b"))
            command = run
            return run
        }
        #expect(await run.exitCode() == .interrupted)
        try await expectNothing(on: host)
    }

    // MARK: Files that are not what they seem

    enum Change: CaseIterable { case vanishes, shrinks, grows, changes }

    @Test(arguments: Change.allCases)
    func aFileThatChangesWhileItIsReadIsNotSent(_ change: Change) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let path = rig.path("a")
        try rig.write("a", sampleBytes(400_000))
        let proxy = try FaultProxy(to: host.url) { request, _ in
            guard Self.isCreation(request) else { return .none }
            switch change {
            case .vanishes: unlink(path)
            case .shrinks: truncate(path, 100_000)
            case .grows: truncate(path, 500_000)
            case .changes:
                var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
                utimensat(AT_FDCWD, path, &times, 0)
            }
            return .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "x", "-a", path)
        if change == .vanishes {
            // It was open: it is what it was.
            #expect(run.exitCode == .done, "\(run.err)")
            return
        }
        #expect(run.exitCode == .failed)
        #expect(run.err.contains("cannot read \(path): it changed while it was read"))
        try await expectNothing(on: host)
    }

    @Test func whatIsNoFileIsRefusedBeforeARequest() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try #require(mkfifo(rig.path("fifo"), 0o600) == 0)
        try rig.files.createFolder(rig.path("folder"))
        let alice = CommandLine(host, as: "alice")
        host.requests.clear()
        for (path, words) in [
            (rig.path("fifo"), "not an ordinary file"), ("/dev/null", "not an ordinary file"),
            (rig.path("folder"), "not an ordinary file"), (rig.path("none"), "No such file"),
            ("/dev/null/x", "Not a directory"),
        ] {
            let run = await alice.run("send", "@bob@example.com", "x", "-a", path)
            #expect(run.exitCode == .failed)
            #expect(run.err.contains(words) && run.err.contains(path), "\(run.err)")
        }
        #expect(host.requests.all.isEmpty)
    }

    @Test func namesThatCannotBeSentAreRefusedBeforeARequest() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        try rig.files.createFolder(rig.path("other"))
        for name in ["a", "other/a", "q\"", "b\\", "n\nl", "e\u{1B}"] { try rig.write(name, [1]) }
        let alice = CommandLine(host, as: "alice")
        host.requests.clear()
        let twice = await alice.run(
            "send", "@bob@example.com", "x", "-a", rig.path("a"), "-a", rig.path("other/a"))
        #expect(twice.exitCode == .usage && twice.err.contains("one name"))
        for name in ["q\"", "b\\", "n\nl", "e\u{1B}"] {
            let run = await alice.run("send", "@bob@example.com", "x", "-a", rig.path(name))
            #expect(run.exitCode == .usage, "\(name)")
            #expect(run.err.contains("cannot be attached") && !run.err.contains("\u{1B}"))
        }
        #expect(host.requests.all.isEmpty)
    }

    @Test func everyOtherNameArrivesAsItIs() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        // NFC and NFD of one letter are two names.
        let names = [
            " a b ", "résumé x.txt", "re\u{301}sume.txt", "%2F%00.txt", "sla%2Fsh#?.txt", "x;y=z",
            "'", "👍.png", "\u{202E}gpj.exe", "CON", "-rf", ".hidden", "a..b",
            String(repeating: "n", count: 255), "é", "e\u{301}",
        ]
        var line = ["send", "@bob@example.com", "x"]
        for name in names {
            try rig.write(String(name.utf8.count > 240 ? "long" : name), Array(name.utf8))
            if name.utf8.count > 240 {
                try #require(rename(rig.path("long"), rig.path(name)) == 0)
            }
            line += ["-a", rig.path(name)]
        }
        let sent = await CommandLine(host, as: "alice").run(line)
        #expect(sent.exitCode == .done, "\(sent.err)")
        let bob = CommandLine(host, as: "bob")
        let message = try await bob.run("show", "-1", "--json").json
        let arrived = message["attachments"]?.array?.compactMap { $0["filename"]?.string }
        #expect(Set(arrived?.map { Array($0.utf8) } ?? []) == Set(names.map { Array($0.utf8) }))
        for name in names {
            let file = await bob.run("download", "-1", "-o", "-", "--", name)
            #expect(file.out.utf8.elementsEqual(name.utf8))
        }
    }

    @Test func aHostThatKeepsAnotherNameOrSizeIsNotBelieved() async throws {
        let rig = try FileRig()
        try rig.write("a", [1, 2])
        for (answer, code) in [
            (#"{"filename":"b","size":2}"#, ExitCode.usage),
            (#"{"filename":"a","size":1}"#, .hostUnavailable),
        ] {
            let server = try ScriptedServer(answering: { request in
                if Self.isAttach(request) { return .json(answer) }
                if request.method == "DELETE" { return .status(204) }
                return .json(
                    request.method == "GET" ? #"{"from":"@bob@example.com"}"# : #"{"id":7}"#)
            })
            defer { server.stop() }
            let run = await DownloadTests.commandLine(server).run(
                "send", "@bob@example.com", "x", "-a", rig.path("a"))
            #expect(run.exitCode == code, "\(run.err)")
            #expect(server.requests.contains { $0.method == "DELETE" && $0.path == "/fmsg/7" })
            #expect(!server.requests.contains { $0.path.hasSuffix("/send") })
        }
    }
}

/// Counts from 0.
private final class Counter: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func next() -> Int {
        state.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
