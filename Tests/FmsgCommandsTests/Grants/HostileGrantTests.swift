import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// Hosts that answer the sub-account commands with something else than they should.
@Suite struct HostileGrantTests {
    private func run(
        _ answer: ScriptedAnswer, _ line: [String], terminals: Set<StandardStream> = []
    ) async throws -> Run {
        let server = try ScriptedServer(answering: { _ in answer })
        defer { server.stop() }
        var owner = CommandLine(url: server.url, key: nil)
        owner.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@a@b"}"#)
        owner.terminals = terminals
        return await owner.run(["sub-account"] + line)
    }

    private static let lines = [
        ["list"], ["show", "bot"], ["allow", "bot", "::/0"], ["delete", "bot"],
        ["create", "bot", "--allow", "::/0"], ["rotate-key", "bot"],
    ]

    /// Field case F23.
    @Test func whatAHostSaysIsEscapedOnATerminal() async throws {
        let grant =
            #"{"agent":"b\u001b]0;x\u0007","addr":"@a\u009b31m@b\u202e","allowed_cidrs":["\n"]}"#
        let list = #"{"max_sub_accounts":5,"sub_accounts":[\#(grant)]}"#
        for (body, line) in [(list, ["list"]), (grant, ["show", "bot"])] {
            let shown = try await run(.json(body), line, terminals: [.output])
            #expect(shown.exitCode == .done && shown.out.contains("\\x1b]0;x\\x07"))
            let harmful = shown.out.unicodeScalars.filter { $0.isHarmfulWhenShown && $0 != "\n" }
            #expect(harmful.isEmpty)
            let piped = try await run(.json(body), line)
            #expect(piped.out.contains("\\n") && !piped.out.contains("\u{1B}"))
            let json = try await run(.json(body), line + ["--json"])
            #expect(json.out.contains(#"b\u001b]0;x\u0007"#))
        }
    }

    @Test(
        arguments: lines,
        ["[]", "7", "", "{", "<html>", #"{"sub_accounts":7}"#, #"{"agent":1,"sub_accounts":[7]}"#])
    func anAnswerOfAnotherShapeIsOneClearLine(_ line: [String], _ body: String) async throws {
        let run = try await run(.json(body), line)
        // What deletes needs no answer.
        guard line[0] != "delete" else {
            #expect(run.exitCode == .done)
            return
        }
        #expect(run.exitCode == .hostUnavailable && run.out.isEmpty)
        #expect(run.err.count { $0 == "\n" } == 1 && run.err.contains("sub-accounts"))
    }

    /// The host's words, by each command, from the captures of real hosts.
    @Test(arguments: Capture.all.filter { $0.path.contains("sub-accounts") && $0.status >= 400 })
    func aCapturedRefusalKeepsItsWords(_ capture: Capture) async throws {
        let words = try #require(try JSON.read(capture.body)["error"]?.string)
        let answer = ScriptedAnswer.answer(
            status: capture.status, headers: ["Content-Type: \(capture.contentType)"],
            body: capture.body)
        for line in Self.lines {
            let run = try await run(answer, line)
            #expect(run.exitCode == (capture.status == 404 ? .notFound : .refused))
            #expect(run.err.contains(words) && run.out.isEmpty)
        }
    }

    @Test func aCreationWithoutAKeyIsNoSuccess() async throws {
        let grant = ScriptedAnswer.json(#"{"agent":"bot","addr":"@a_bot@b"}"#, status: 201)
        let run = try await run(grant, ["create", "bot", "--allow", "::/0"])
        #expect(run.exitCode == .hostUnavailable && run.out.isEmpty)
        #expect(run.err.contains("gave no key"))
    }

    /// A host too old for the routes (a plain 404).
    @Test func anOldHostIsUnsupported() async throws {
        let answer = ScriptedAnswer.answer(
            status: 404, headers: ["Content-Type: text/plain"],
            body: Array("404 page not found".utf8))
        let run = try await run(answer, ["list", "--json"])
        #expect(run.exitCode == .refused)
        #expect(try JSON.read(run.err)["error"]?["code"] == .string("unsupported"))
    }

    /// Field case F18.
    @Test func talkNeverGetsIntoTheJSON() async throws {
        let host = try TestHost { $0.clock = { CommandLine.now } }
        defer { host.stop() }
        let alice = try CommandLine(host, owner: "alice")
        for line in [["create", "bot", "--allow", "127.0.0.0/8"], ["list"], ["show", "bot"]] {
            let run = await alice.run(["--verbose", "sub-account"] + line + ["--json"])
            #expect(run.exitCode == .done && run.err.contains("/fmsg/sub-accounts"))
            _ = try run.json
            #expect(!run.err.contains("fmsgk_") && !run.err.contains("eyJ"))
        }
    }
}
