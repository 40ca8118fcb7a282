import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Bodies alone.
@Suite struct BodyTests {
    @Test func theBodyIsPrintedByteByByte() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let alice = CommandLine(host, as: "alice")
        let text = String(repeating: "äö\tx\u{1B}[0m\r\n", count: 400) + "no end"
        let id = try await alice.send("@bob@example.com", "-m", text)
        var bob = CommandLine(host, as: "bob")
        #expect(await bob.run("body", id).out == text)
        #expect(try await bob.run("body", "-1", "--json").json["text"] == .string(text))
        let saved = await bob.run("body", id, "-o", rig.path("b"))
        #expect(saved.out == "\(id)\t\(text.utf8.count)\t\(rig.path("b"))\n")
        #expect(try rig.read("b") == Array(text.utf8) && rig.names == ["b"])
        #expect(await bob.run("body", id, "-o", rig.path("b")).exitCode == .failed)
        #expect(await bob.run("body", id, "-o", rig.path, "-f").exitCode == .failed)
        // Field case F23: on a terminal it is escaped, and the next prompt begins a line.
        bob.terminals = [.output]
        let shown = await bob.run("body", id)
        #expect(shown.out.hasSuffix(#"\x1b[0m\x0d"# + "\nno end\n"))
        #expect(!shown.out.contains("\u{1B}"))
    }

    @Test func nothingIsAddedToAnEmptyOne() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "-m", "")
        var bob = CommandLine(host, as: "bob")
        #expect(await bob.run("body", id).out.isEmpty)
        bob.terminals = [.output]
        #expect(await bob.run("body", id).out.isEmpty)
        #expect(await bob.run("body", "999").exitCode == .notFound)
    }

    /// Field case F33: what is not as long as the message says is not passed off as whole.
    @Test(
        arguments: [
            ["body", "7"], ["body", "7", "--json"], ["show", "7"], ["thread", "7"],
        ], [5, 200])
    func aBodyOfAnotherLengthIsRefused(_ line: [String], _ count: Int) async throws {
        let server = try ScriptedServer(answering: { request in
            if request.path.contains("/thread") { return .status(404) }
            return request.path.hasSuffix("/data")
                ? .answer(status: 200, body: Array(repeating: 0x61, count: count))
                : .json(
                    #"""
                    {"from":"@a@b","to":[],"time":1,"type":"text/plain","size":100,"short_text":"a"}
                    """#)
        })
        defer { server.stop() }
        let run = await DownloadTests.commandLine(server).run(line)
        #expect(run.exitCode == .hostUnavailable, "\(run.err)")
    }

    @Test(arguments: [[0x61, 0], [0xFF, 0xFE], [0xC3], [0xE2, 0x82]] as [[UInt8]])
    func whatIsNoTextIsNotShown(_ bytes: [UInt8]) async throws {
        let server = try ScriptedServer(answering: { request in
            request.path.hasSuffix("/data")
                ? .answer(status: 200, body: bytes)
                : .json(
                    #"{"from":"@a@b","to":[],"time":1,"type":"image/png","size":\#(bytes.count)}"#)
        })
        defer { server.stop() }
        var bob = DownloadTests.commandLine(server)
        bob.terminals = [.output]
        let run = await bob.run("body", "7")
        #expect(run.exitCode == .failed && run.out.isEmpty)
        #expect(run.err.contains("-o FILE"))
        let json = await bob.run("body", "7", "--json")
        #expect(bytes.contains(0) ? json.exitCode == .done : json.exitCode == .failed)
    }
}
