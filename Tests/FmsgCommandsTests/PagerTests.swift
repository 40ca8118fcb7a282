import CommandLineTool
import FmsgHost
import TestSupport
import Testing

/// A pager only on a terminal, and only where one was asked for.
@Suite struct PagerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "fmsg-test-pager") }

    private var paged: String {
        get throws {
            let path = folder.path + "/paged"
            guard try LocalFileSystem().status(path) != nil else { return "" }
            return String(
                decoding: try LocalFileSystem().read(path, limit: 1 << 20), as: UTF8.self)
        }
    }

    /// Bob before a terminal, whose pager writes down what it is given.
    private func bob(_ host: TestHost, terminals: Set<StandardStream>) async throws -> CommandLine {
        _ = try await CommandLine(host, as: "alice").send("@bob@example.com", "for the pager")
        var bob = CommandLine(host, as: "bob")
        bob.environment["PATH"] = "/usr/bin:/bin"
        bob.environment["PAGER"] = "{ echo \"$LESS\"; cat; } >\(folder.path)/paged"
        bob.terminals = terminals
        return bob
    }

    @Test(arguments: [["inbox"], ["show", "1"], ["thread", "1"], ["inbox", "--json"]])
    func whatIsListedGoesThroughIt(_ line: [String]) async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { folder.remove() }
        let bob = try await bob(host, terminals: [.input, .output, .error])
        let direct = await bob.run(line)
        #expect(try direct.out.contains("for the pager") && paged.isEmpty)
        let run = await bob.run(line + ["--pager"])
        #expect(run.exitCode == .done && run.out.isEmpty, "\(run.err)")
        #expect(try paged == "FRX\n" + direct.out)
    }

    @Test(arguments: [Set<StandardStream>(), [.input, .error], [.output, .error]])
    func withoutATerminalThereIsNone(_ terminals: Set<StandardStream>) async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { folder.remove() }
        let bob = try await bob(host, terminals: terminals)
        let run = await bob.run("inbox", "--pager")
        #expect(run.exitCode == .done && run.out.contains("for the pager"))
        #expect(try paged.isEmpty)
    }

    @Test func talkAndErrorsComeAfterIt() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { folder.remove() }
        let bob = try await bob(host, terminals: [.input, .output, .error])
        let run = await bob.run("show", "-1", "999", "--pager")
        #expect(run.exitCode == .someFailed && run.err.contains("-1 is message 1"))
        #expect(run.err.contains("message 999: message not found"))
        #expect(try paged.contains("for the pager"))
    }

    @Test func aPagerThatIsNoneIsNamed() async throws {
        let host = try TestHost()
        defer { host.stop() }
        defer { folder.remove() }
        var bob = try await bob(host, terminals: [.input, .output, .error])
        bob.environment["PAGER"] = "cat >/dev/null; no-such-pager -x"
        let run = await bob.run("inbox", "--pager")
        #expect(run.exitCode == .failed && run.err.contains("no-such-pager"))
    }
}
