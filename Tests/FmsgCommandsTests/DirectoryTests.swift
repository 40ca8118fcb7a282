import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Bare names in `--to`.
@Suite struct DirectoryTests {
    private func run(
        _ directory: String?, domain: String? = nil, _ names: String...
    ) async throws -> (run: Run, requests: [String]) {
        let host = try TestHost()
        defer { host.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-directory")
        defer { folder.remove() }
        var alice = CommandLine(host, as: "alice")
        alice.environment["FMSG_DEFAULT_DOMAIN"] = domain
        if let directory {
            let path = folder.path + "/names.json"
            try LocalFileSystem().writeAtomically(path, Array(directory.utf8), mode: 0o644)
            alice.environment["FMSG_DIRECTORY"] = path
        }
        let to = names.flatMap { ["--to", $0] }
        let run = await alice.run(["send"] + to + ["hi", "--json"])
        return (run, host.requests.all)
    }

    private static let names = #"{"Robert":"@bob@example.com","carol":"@carol@example.com"}"#

    @Test func aNameIsFoundAndShown() async throws {
        let (run, _) = try await run(Self.names, "Robert", "CAROL")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(
            try run.json["to"] == .strings(["@bob@example.com", "@carol@example.com"]))
        #expect(run.err.contains("Robert is @bob@example.com"))
        #expect(run.err.contains("CAROL is @carol@example.com"))
    }

    @Test func theDirectoryGoesBeforeTheDefaultDomain() async throws {
        let (run, _) = try await run(Self.names, domain: "example.com", "robert", "alice")
        #expect(try run.json["to"] == .strings(["@bob@example.com", "@alice@example.com"]))
    }

    @Test func anAddressStandsForItself() async throws {
        let (run, _) = try await run(Self.names, domain: "elsewhere.test", "@bob@example.com")
        #expect(try run.json["to"] == .strings(["@bob@example.com"]))
        #expect(run.err.isEmpty)
    }

    @Test(arguments: [
        (names, "Robrt", "did you mean Robert?"), (names, "zed", "not in the directory"),
        (#"{"bob":"bob"}"#, "bob", "must begin with @"), (#"{"bob":7}"#, "bob", "bob"),
        (#"{"Bob":"@a@b","BOB":"@c@d"}"#, "bob", "may be any of these: Bob, BOB"),
        ("[]", "bob", "not a JSON object"), ("{", "bob", "not a JSON object"),
        (#"{"bob":"@bob@example.com\u001b[2J"}"#, "bob", "\\x1b"),
    ])
    func whatCannotBeFoundIsToldBeforeAnyRequest(
        _ directory: String, _ name: String, _ words: String
    ) async throws {
        let (run, requests) = try await run(directory, name)
        #expect(run.exitCode == .usage)
        #expect(run.err.contains(words) || words == "\\x1b", "\(run.err)")
        #expect(run.err.count { $0 == "\n" } == 1 && !run.err.contains("\u{1B}"))
        #expect(requests.isEmpty)
    }

    @Test func aMissingDirectoryIsNamed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        var alice = CommandLine(host, as: "alice")
        alice.environment["FMSG_DIRECTORY"] = "/nonexistent/names.json"
        let run = await alice.run("send", "--to", "bob", "hi")
        #expect(run.exitCode == .failed && run.err.contains("/nonexistent/names.json"))
    }
}
