import FmsgCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct DurabilityTests {
    /// A host in a process of its own, and the port that it says it listens on.
    private func start(_ folder: TemporaryFolder) async throws -> (
        program: BuiltProgram, port: UInt16
    ) {
        let program = try BuiltProgram(
            "fmsg-host", ["run", "--data", folder.path + "/data", "--port", "0", "--json"])
        let ready = try JSON.read(try await program.readLine()).object
        #expect(ready?[Field.type]?.string == "ready")
        let url = ready?["url"]?.string ?? ""
        return (program, url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
    }

    private func addUser(_ address: String, _ folder: TemporaryFolder) async throws -> String {
        let program = try BuiltProgram(
            "fmsg-host", ["user", "add", address, "--data", folder.path + "/data"])
        let key = try await program.readLine()
        #expect(await program.wait() == 0)
        return key
    }

    @Test func whatWasConfirmedSurvivesAKill() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = ["alice", "bob", "carol"]
        var keys: [String] = []
        for name in names { keys.append(try await addUser(TestHost.address(name), folder)) }
        let first = try await start(folder)
        let port = first.port
        let confirmed = ConfirmedSends()
        await withTaskGroup(of: Void.self) { group in
            for (name, key) in zip(names, keys) {
                group.addTask {
                    guard let client = try? WireClient(port: port, name, key: key) else { return }
                    // Each goes on until the host is gone.
                    for number in 0..<10_000 {
                        let text = "\(name) \(number)"
                        guard let id = try? client.send(to: [TestHost.address("bob")], text)
                        else { return }
                        if confirmed.add(id, text) == 60 { first.program.send(SIGKILL) }
                    }
                }
            }
        }
        #expect(await first.program.wait() == 128 + SIGKILL)
        let second = try await start(folder)
        let bob = try WireClient(port: second.port, "bob", key: keys[1])
        #expect(confirmed.all.count >= 60)
        for (id, text) in confirmed.all {
            let message = try bob.message(id)
            #expect(message?[Field.shortText]?.string == text)
            #expect(message?[Field.time]?.double != nil)
        }
        second.program.send(SIGTERM)
        #expect(await second.program.wait() == 0)
    }

    @Test func aUserCanBeAddedWhileAHostRuns() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let alice = try await addUser("@alice@example.com", folder)
        let host = try await start(folder)
        #expect(try WireClient(port: host.port, "alice", key: alice).list().isEmpty)
        let bob = try await addUser("@bob@example.com", folder)
        let client = try WireClient(port: host.port, "bob", key: bob)
        #expect(try client.send(to: ["@alice@example.com"]) > 0)
        let other = try BuiltProgram(
            "fmsg-host", ["run", "--data", folder.path + "/data", "--port", "0"])
        #expect(await other.wait() == 1, "a second host on the same data")
        host.program.send(SIGINT)
        #expect(await host.program.wait() == 0)
    }

    @Test func allIsThereAfterARestart() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let draft = try alice.draft(to: [bob.address], "later")
        let id = try alice.draft(to: [bob.address], "hello")
        try alice.attach(id, "a.txt", Array("one".utf8))
        #expect(try alice.request("POST", "/fmsg/\(id)/send").status == 200)
        let read = try bob.request("POST", "/fmsg/\(id)/read").json
        let before = try bob.message(id)
        let token = bob.token
        host.host.stop()
        #expect(host.url.isEmpty)
        try host.host.start()
        let again = try WireClient(host, "bob")
        #expect(try again.message(id) == before)
        #expect(try again.request("POST", "/fmsg/\(id)/read").json == read)
        #expect(try again.request("GET", "/fmsg/\(id)/attach/a.txt").text == "one")
        #expect(try WireClient(host, "alice").request("POST", "/fmsg/\(draft)/send").status == 200)
        let old = try again.request("GET", "/fmsg", authorization: "Bearer \(token)")
        #expect(old.status == 200, "the signing key stays")
    }

    @Test func whatACrashLeftIsTidiedUp() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"])
        try alice.attach(id, "a.txt", Array("one".utf8))
        host.host.stop()
        let folder = host.dataFolder + "/attachments"
        let orphan = open(folder + "/orphan", O_CREAT | O_WRONLY, 0o600)
        close(orphan)
        #expect(Files.names(in: folder).count == 2)
        try host.host.start()
        #expect(Files.names(in: folder).count == 1)
        #expect(
            try WireClient(host, "alice").request("GET", "/fmsg/\(id)/attach/a.txt").text == "one")
    }

    @Test func aDataFolderIsOfOneDomainAndOneHost() throws {
        let host = try TestHost()
        let folder = host.dataFolder
        #expect(permissions(folder + "/fmsg.db") == 0o600)
        let inUse = #expect(throws: HostError.self) {
            try EmbeddedHost(HostConfiguration(dataFolder: folder)).start()
        }
        #expect(inUse?.kind == .inUse)
        let other = #expect(throws: HostError.self) {
            try EmbeddedHost(HostConfiguration(dataFolder: folder, domain: "other.test"))
        }
        #expect(other?.kind == .dataFolder)
        #expect(try EmbeddedHost(HostConfiguration(dataFolder: folder)).domain == "example.com")
        #expect(throws: HostError.self) {
            try EmbeddedHost(HostConfiguration(dataFolder: "/proc/nowhere"))
        }
        #expect(throws: HostError.self) {
            try EmbeddedHost(HostConfiguration(dataFolder: folder, domain: "a b"))
        }
    }

    @Test func aForeignFileIsNotTakenForADatabase() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = open(folder.path + "/fmsg.db", O_CREAT | O_WRONLY, 0o600)
        #expect(
            Array("not a database at all, really".utf8).withUnsafeBytes {
                Files.write($0, to: file)
            })
        close(file)
        let error = #expect(throws: HostError.self) {
            try EmbeddedHost(HostConfiguration(dataFolder: folder.path))
        }
        #expect(error?.kind == .dataFolder)
    }
}

/// What several clients got confirmed: the texts of messages by their ids.
private final class ConfirmedSends: Sendable {
    private let texts = Mutex<[Int64: String]>([:])

    var all: [Int64: String] { texts.withLock { $0 } }

    /// Keeps one and gives the number of all.
    func add(_ id: Int64, _ text: String) -> Int {
        texts.withLock { texts in
            texts[id] = text
            return texts.count
        }
    }
}
