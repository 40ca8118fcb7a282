import CommandLineTool
import FmsgCore
import FmsgHost
import Glibc
import Synchronization
import TestSupport
import Testing

/// A folder for the files of one test.
struct FileRig: ~Copyable {
    let folder: TemporaryFolder
    let files = LocalFileSystem()

    init() throws { folder = try TemporaryFolder(in: "/dev/shm", prefix: "fmsg-test-files") }

    deinit { folder.remove() }

    var path: String { folder.path }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// What stands in the folder.
    var names: [String] { get throws { try files.list(folder.path) } }

    func read(_ name: String) throws -> [UInt8] { try files.read(path(name), limit: 64 << 20) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try files.writeAtomically(path(name), bytes, mode: 0o600)
    }

    func link(_ name: String, to target: String) throws {
        try #require(symlink(target, path(name)) == 0)
    }
}

extension TestHost {
    /// A message of Alice to Bob with these files; its id.
    func send(_ attachments: [(name: String, bytes: [UInt8])], text: String = "x") async throws
        -> Int64
    {
        let client = try FmsgClient.of(self, "alice")
        let message = NewMessage(to: ["@bob@example.com"], text: text)
        let id = try await client.createDraft(message)
        for (name, bytes) in attachments {
            _ = try await client.attach(try NewAttachment(name, bytes: bytes), to: id)
        }
        try await client.sendDraft(id, of: message)
        return id
    }
}

/// Bytes that are no text, each at a place of its own.
func sampleBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// Attachments on their way to the disk.
@Suite struct DownloadTests {
    private static func isFile(_ request: ScriptedRequest) -> Bool {
        request.path.contains("/attach/")
    }

    @Test func eachFileIsSavedUnderItsName() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let id = try await host.send([
            ("a.bin", sampleBytes(300_000)), ("empty", []), ("mit Leerzeichen ü.txt", [65]),
        ])
        let bob = CommandLine(host, as: "bob")
        let run = await bob.run("download", "-1", "-o", rig.path)
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try rig.names == ["a.bin", "empty", "mit Leerzeichen ü.txt"])
        #expect(try rig.read("a.bin") == sampleBytes(300_000))
        #expect(try rig.read("empty").isEmpty)
        #expect(run.lines.contains("\(id)\ta.bin\t300000\t\(rig.path("a.bin"))"))
        // By name, as a file of another name, and as JSON.
        let one = await bob.run(
            "download", "\(id)", "a.bin", "-o", rig.path("b.bin"), "--json")
        #expect(try one.json[0]?["path"] == .string(rig.path("b.bin")))
        #expect(try rig.read("b.bin").count == 300_000)
        let piped = await bob.run("download", "\(id)", "mit Leerzeichen ü.txt", "-o", "-")
        #expect(piped.out == "A" && piped.err.isEmpty)
    }

    @Test func nothingIsReplacedWithoutForce() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let id = try await host.send([("a", [1]), ("b", [2])])
        let bob = CommandLine(host, as: "bob")
        try rig.write("a", [9])
        let some = await bob.run("download", "\(id)", "-o", rig.path, "--json")
        #expect(some.exitCode == .someFailed)
        #expect(some.err.contains("is there already") && some.err.contains("1 of 2 files"))
        #expect(try rig.read("a") == [9] && rig.read("b") == [2])
        let forced = await bob.run("download", "\(id)", "a", "-o", rig.path, "--force")
        #expect(forced.exitCode == .done, "\(forced.err)")
        #expect(try rig.read("a") == [1] && rig.names == ["a", "b"])
        // A folder in the way, and a folder that is not there.
        try rig.files.createFolder(rig.path("c/a"))
        #expect(
            await bob.run("download", "\(id)", "a", "-o", rig.path("c"), "-f").exitCode == .failed)
        #expect(await bob.run("download", "\(id)", "a", "-o", rig.path("no/a")).exitCode == .failed)
        let nowhere = await bob.run("download", "\(id)", "-o", rig.path("no/"))
        #expect(nowhere.exitCode == .failed)
        #expect(nowhere.err.contains("there is no folder \(rig.path("no/"))"))
    }

    @Test func wrongLinesAreRefused() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await host.send([("a", [0, 1]), ("b", [2])])
        let bare = try await CommandLine(host, as: "alice").send("@bob@example.com", "none")
        var bob = CommandLine(host, as: "bob")
        #expect(await bob.run("download", "\(id)", "-o", "-").exitCode == .usage)
        #expect(await bob.run("download", "\(id)", "-o", "/dev/shm/one").exitCode == .usage)
        #expect(await bob.run("download", "\(id)", "a", "-o", "-", "--json").exitCode == .usage)
        let missing = await bob.run("download", "\(id)", "c")
        #expect(missing.exitCode == .notFound && missing.err.contains("there are: a, b"))
        #expect(await bob.run("download", bare).exitCode == .notFound)
        bob.terminals = [.output]
        let binary = await bob.run("download", "\(id)", "a", "-o", "-")
        #expect(binary.exitCode == .failed && binary.out.isEmpty)
        #expect(binary.err.contains("not written to a terminal"))
    }

    @Test func howFarItIsIsShownOnATerminalAlone() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let id = try await host.send([("a", sampleBytes(300_000))])
        var bob = CommandLine(host, as: "bob")
        // A second goes by whenever somebody looks.
        let seconds = Mutex(0.0)
        bob.time = TimeSource(
            now: { 0 },
            uptime: {
                seconds.withLock { seconds in
                    seconds += 1
                    return seconds
                }
            }, sleep: { _ async throws(CancellationError) in }, localTime: { _ in nil })
        let piped = await bob.run("download", "\(id)", "-o", rig.path)
        #expect(piped.err.isEmpty)
        bob.terminals = [.error]
        let shown = await bob.run("download", "\(id)", "-o", rig.path, "-f")
        #expect(shown.err.contains("of 300.0 kB") && shown.err.hasSuffix("\r\u{1B}[K"))
        #expect(!shown.out.contains("\u{1B}"))
        for quiet in [["-q"], ["--quiet", "--json"]] {
            let run = await bob.run(["download", "\(id)", "-o", rig.path, "-f"] + quiet)
            #expect(run.err.isEmpty)
        }
        bob.environment["TERM"] = "dumb"
        #expect(await bob.run("download", "\(id)", "-o", rig.path, "-f").err.isEmpty)
    }

    // MARK: Broken connections

    @Test(arguments: 0..<10)
    func aDownloadThatIsCutGoesOnByRange(_ tenth: Int) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let bytes = sampleBytes(200_000)
        let id = try await host.send([("a.bin", bytes)])
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isFile(request) && number == 0 ? .answerCut(after: 400 + 20_000 * tenth) : .none
        }
        defer { proxy.stop() }
        let bob = CommandLine(url: proxy.url, key: host.key("bob"))
        let run = await bob.run("download", "\(id)", "-o", rig.path)
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try rig.names == ["a.bin"] && rig.read("a.bin") == bytes)
        let ranges = proxy.requests.filter(Self.isFile).map { $0.header("Range") }
        #expect(ranges.count == 2 && ranges[0] == nil && ranges[1]?.hasPrefix("bytes=") == true)
    }

    @Test func aLineThatBreaksAgainAndAgainIsOvercome() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let bytes = sampleBytes(100_000)
        let id = try await host.send([("a.bin", bytes)])
        let proxy = try FaultProxy(to: host.url) { request, _ in
            Self.isFile(request) ? .answerCut(after: 10_000) : .none
        }
        defer { proxy.stop() }
        let bob = CommandLine(url: proxy.url, key: host.key("bob"))
        let rig = try FileRig()
        let run = await bob.run("download", "\(id)", "-o", rig.path)
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try rig.read("a.bin") == bytes)
    }

    @Test func theNextRunGoesOnWhereOneWasGivenUp() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let bytes = sampleBytes(100_000)
        let id = try await host.send([("a.bin", bytes)])
        let isBroken = Mutex(true)
        let proxy = try FaultProxy(to: host.url) { request, number in
            guard Self.isFile(request), isBroken.withLock({ $0 }) else { return .none }
            return number == 0 ? .answerCut(after: 50_000) : .requestLost
        }
        defer { proxy.stop() }
        let bob = CommandLine(url: proxy.url, key: host.key("bob"))
        let broken = await bob.run("download", "\(id)", "-o", rig.path)
        #expect(broken.exitCode == .hostUnavailable)
        #expect(broken.err.contains("are kept"))
        #expect(try rig.names.count == 1 && rig.names[0].hasSuffix(".part"))
        isBroken.withLock { $0 = false }
        let kept = try rig.read(try rig.names[0])
        #expect(!kept.isEmpty && bytes.starts(with: kept))
        let whole = await bob.run("download", "\(id)", "-o", rig.path)
        #expect(whole.exitCode == .done, "\(whole.err)")
        #expect(try rig.names == ["a.bin"] && rig.read("a.bin") == bytes)
        #expect(proxy.requests.last?.header("Range") == "bytes=\(kept.count)-")
    }

    @Test func aHostWithoutRangesSendsItAgain() async throws {
        let bytes = sampleBytes(90_000)
        let server = try ScriptedServer(connection: { connection in
            while let request = connection.readRequest() {
                guard request.path.contains("/attach/") else {
                    connection.send(.json(Self.message([("a", bytes.count)])))
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                let isFirst = request.header("Range") == nil
                guard connection.write(isFirst ? Array(bytes.prefix(40_000)) : bytes), !isFirst
                else { return }
            }
        })
        defer { server.stop() }
        let rig = try FileRig()
        let bob = Self.commandLine(server)
        let saved = await bob.run("download", "7", "-o", rig.path)
        #expect(saved.exitCode == .done, "\(saved.err)")
        #expect(try rig.read("a") == bytes)
        // What is out cannot be taken back: it is left out the second time.
        let printed = await bob.run("body", "7", "-o", rig.path("body"))
        #expect(printed.exitCode != .done)
        let piped = await bob.run("download", "7", "-o", "-")
        #expect(piped.out == String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: [(3, "2 bytes came"), (1, "more than 1 bytes came")])
    func aSizeThatWasNotAnnouncedIsNoFile(_ size: Int, _ words: String) async throws {
        let server = try ScriptedServer(answering: { request in
            request.path.contains("/attach/")
                ? .answer(status: 200, body: [1, 2]) : .json(Self.message([("a", size)]))
        })
        defer { server.stop() }
        let rig = try FileRig()
        let run = await Self.commandLine(server).run("download", "7", "-o", rig.path)
        #expect(run.exitCode != .done && run.err.contains(words))
        #expect(try rig.names.isEmpty)
    }

    @Test func aRefusalLeavesNothing() async throws {
        let server = try ScriptedServer(answering: { request in
            request.path.contains("/attach/")
                ? .json(#"{"error":"not yours"}"#, status: 403) : .json(Self.message([("a", 5)]))
        })
        defer { server.stop() }
        let rig = try FileRig()
        let run = await Self.commandLine(server).run("download", "7", "-o", rig.path)
        #expect(run.exitCode == .refused && run.err.contains("not yours"))
        #expect(try rig.names.isEmpty)
    }

    // MARK: Field case F30

    /// Names that a host can give, and what becomes of them.
    static let hostileNames: [(String, String)] = [
        ("../../.ssh/authorized_keys", "_._.._.ssh_authorized_keys"), ("/etc/x", "_etc_x"),
        (#"a\u0000b"#, "a_b"), (".", "_"), ("..", "_."), ("", "attachment"),
        (".bashrc", "_bashrc"), ("-rf", "_rf"), (#"a\u001b]0;x\u0007"#, "a_]0;x_"),
        (#"photo\u202egpj.exe"#, "photo_gpj.exe"), (#"a\nb"#, "a_b (2)"), (#"\u009b1m"#, "_1m"),
        (#"C:\\x\\y"#, #"C:\x\y"#), ("x%2fy", "x%2fy"),
        (String(repeating: "ä", count: 200) + ".txt", String(repeating: "ä", count: 125) + ".txt"),
    ]

    static func message(_ files: [(name: String, size: Int)]) -> String {
        let list = files.map { #"{"filename":"\#($0.name)","size":\#($0.size)}"# }
        return #"{"from":"@a@b","to":["@bob@example.com"],"time":1,"size":1,"attachments":["#
            + list.joined(separator: ",") + "]}"
    }

    static func commandLine(_ server: ScriptedServer) -> CommandLine {
        var bob = CommandLine(url: server.url, key: nil)
        bob.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@bob@example.com"}"#)
        return bob
    }

    @Test func noNameLeavesItsFolder() async throws {
        let server = try ScriptedServer(answering: { request in
            request.path.contains("/attach/")
                ? .answer(status: 200, body: [1])
                : .json(Self.message(Self.hostileNames.map { ($0.0, 1) }))
        })
        defer { server.stop() }
        let rig = try FileRig()
        let inner = rig.path("inner")
        try rig.files.createFolder(inner)
        var bob = Self.commandLine(server)
        bob.terminals = [.output, .error]
        let run = await bob.run("download", "7", "-o", inner)
        // The empty name cannot be asked for; every other file is there.
        #expect(try rig.names == ["inner"])
        let names = try rig.files.list(inner)
        for (name, local) in Self.hostileNames where !name.isEmpty {
            #expect(names.contains(local), "\(name)")
        }
        #expect(!run.out.contains("\u{1B}]") && !run.err.contains("\u{1B}]"))
        #expect(!run.err.contains("\u{202E}") && run.err.contains(#"photo\u202egpj.exe is saved"#))
    }

    @Test func noLinkIsFollowed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let id = try await host.send([("a", [1, 2, 3])])
        let bob = CommandLine(host, as: "bob")
        try rig.write("precious", [9])
        try rig.link("a", to: rig.path("precious"))
        #expect(await bob.run("download", "\(id)", "-o", rig.path).exitCode == .failed)
        #expect(await bob.run("download", "\(id)", "-o", rig.path, "-f").exitCode == .done)
        #expect(try rig.read("a") == [1, 2, 3] && rig.read("precious") == [9])
        // One that leads nowhere is there, too.
        try rig.files.remove(rig.path("a"))
        try rig.link("a", to: rig.path("nowhere"))
        #expect(await bob.run("download", "\(id)", "-o", rig.path).exitCode == .failed)
        #expect(try rig.names == ["a", "precious"])
    }
}
