import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// Secrets in what is about to be sent.
@Suite struct RedactedSendTests {
    private static let secret = "fmsgk_id_verysecret"

    @Test func aSendIsRedactedAndSaysSo() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let line = [
            "send", "@bob@example.com", "-t", "key \(Self.secret)", "-m", "is \(Self.secret)",
        ]
        let dry = try await alice.run(line + ["--dry-run", "--json"]).json
        #expect(dry["data"] == .string("is [redacted API key]"))
        #expect(dry["redactions"] == .integer(2))
        let sent = await alice.run(line + ["--json"])
        #expect(try sent.json["redactions"] == .integer(2))
        #expect(try sent.json["topic"] == .string("key [redacted API key]"))
        #expect(sent.err.contains("2 secrets") && sent.err.contains("--no-redact"))
        let received = await CommandLine(host, as: "bob").run("show", "-1", "--json")
        #expect(!received.out.contains("verysecret"))
        let reply = await CommandLine(host, as: "bob").run(
            ["reply", "-1", "-", "--json"], input: Self.secret)
        #expect(try reply.json["redactions"] == .integer(1))
    }

    @Test func aDraftIsRedactedToo() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let line = ["draft", "create", "@bob@example.com", Self.secret, "--json"]
        #expect(try await alice.run(line).json["redactions"] == .integer(1))
        let edit = ["draft", "edit", "1", "again \(Self.secret)", "--json"]
        #expect(try await alice.run(edit).json["redactions"] == .integer(1))
        let shown = try await alice.run("draft", "show", "1", "--json").json
        #expect(shown["body"]?["text"] == .string("again [redacted API key]"))
        _ = await alice.run(edit + ["--no-redact"])
        let meant = try await alice.run("draft", "show", "1", "--json").json
        #expect(meant["body"]?["text"] == .string("again \(Self.secret)"))
    }

    @Test func whoMeansItSendsItAsItIs() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let sent = await CommandLine(host, as: "alice").run(
            "send", "@bob@example.com", Self.secret, "--no-redact", "--json")
        #expect(try sent.json["redactions"] == .integer(0))
        let received = try await CommandLine(host, as: "bob").run("show", "-1", "--json").json
        #expect(received["body"]?["text"] == .string(Self.secret))
    }

    @Test func anAgentHasNoSuchOption() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = await CommandLine(host, as: "bob").run("agent", "--exec", "cat", "--no-redact")
        #expect(run.exitCode == .usage)
    }
}
