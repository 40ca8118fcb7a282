import CommandLineTool
import FmsgCore
import FmsgHost
import Synchronization
import TestSupport
import Testing

/// Lost answers, damaged ledgers, older hosts: still one reply.
@Suite struct AgentFaultTests {
    /// The requests of one answer after its message was found.
    enum Step: String, CaseIterable, Sendable {
        case list, index, thread, create, look, send, read

        func isMet(by request: ScriptedRequest) -> Bool {
            let path = request.path.prefix { $0 != "?" }
            return switch self {
            case .list: request.method == "GET" && path == "/fmsg"
            case .index: path == "/fmsg/sent"
            case .thread: path.hasSuffix("/thread/messages")
            case .create: request.method == "POST" && path == "/fmsg"
            case .look:
                request.method == "GET" && Int(path.split(separator: "/").last ?? "") != nil
            case .send: path.hasSuffix("/send")
            case .read: path.hasSuffix("/read")
            }
        }
    }

    @Test(arguments: Step.allCases, [0, 1, 2, 3, 4])
    func whateverIsLostThereIsOneReply(_ step: Step, _ kind: Int) async throws {
        let faults: [FaultProxy.Fault] = [
            .requestLost, .answerLost, .answerCut(after: 30),
            .answered(.json(#"{"error":"failed"}"#, status: 500)),
            .answered(.json(#"{"error":"slow down"}"#, status: 429)),
        ]
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let count = RequestCounter()
        let (line, proxy) = try rig.bob { request, _ in
            step.isMet(by: request) && count.next() == 0 ? faults[kind] : .none
        }
        defer { proxy.stop() }
        var run = await rig.agent("printf hi", line: line)
        // Before anything was decided a failing host ends it; the next run is whole.
        if run.exitCode != .done { run = await rig.agent("printf hi", line: line) }
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try await rig.replies(to: id).count == 1)
        #expect(try await rig.unread().isEmpty)
        #expect(try await rig.drafts().isEmpty)
    }

    /// Field case F6: what was sent is said, whatever fails after it.
    @Test func aReplyThatWasSentIsTold() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let (line, proxy) = try rig.bob { request, _ in
            request.path.hasSuffix("/read")
                ? .answered(.json(#"{"error":"no disk"}"#, status: 500)) : .none
        }
        defer { proxy.stop() }
        let run = await rig.agent("printf hi", line: line)
        #expect(run.exitCode == .hostUnavailable)
        let reply = try #require(try await rig.replies(to: id).first?["id"]?.text)
        #expect(
            try run.decisions.last?["reason"] == .string("reply \(reply) was sent; no disk"))
        #expect(await rig.agent("printf hi").exitCode == .done)
        #expect(try await rig.replies(to: id).count == 1)
    }

    /// Ids are local to a host: on one that was made anew under the same URL they name other
    /// messages, of which the ledger knows nothing.
    @Test func aHostThatWasMadeAnewIsAnsweredAnew() async throws {
        let rigs = [try AgentRig(), try AgentRig()]
        let current = Mutex(0)
        @Sendable func fault(_ request: ScriptedRequest, _ number: Int) -> FaultProxy.Fault {
            // The second answer on the first host stays an intent.
            let isCut =
                current.withLock { $0 } == 0 && request.method == "POST" && request.path == "/fmsg"
                && String(decoding: request.body, as: UTF8.self).contains("to 2")
            return isCut ? .requestLost : .none
        }
        let proxy = try FaultProxy(
            to: { rigs[current.withLock { $0 }].host.url }, fault: fault)
        defer { proxy.stop() }
        func run() async -> Run {
            var line = rigs[current.withLock { $0 }].bob
            line.environment["FMSG_API_URL"] = proxy.url
            line.environment["FMSG_STATE_DIR"] = rigs[0].state.path
            return await rigs[0].agent("printf \"to $FMSG_MESSAGE_ID\"", line: line)
        }
        for _ in 0..<2 { _ = try await rigs[0].alice.send("@bob@example.com", "Old?") }
        #expect(await run().exitCode != .done)
        current.withLock { $0 = 1 }
        let ids = [
            try await rigs[1].alice.send("@bob@example.com", "New?"),
            try await rigs[1].alice.send("@bob@example.com", "And this?"),
        ]
        let anew = await run()
        #expect(anew.exitCode == .done, "\(anew.err)")
        #expect(anew.err.contains("made anew"))
        for id in ids { #expect(try await rigs[1].replies(to: id).count == 1) }
        #expect(try await rigs[1].unread().isEmpty)
        #expect(try await rigs[1].drafts().isEmpty)
        let kept = try LocalFileSystem().list(rigs[0].state.path)
        #expect(kept.contains { $0.hasSuffix(".other-host") })
    }

    /// Field case F14.
    @Test func aMessageThatIsNotReadableYetIsTriedAgain() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let (line, proxy) = try rig.bob { request, number in
            request.path.hasSuffix("/thread/messages") && number < 2
                ? .answered(.json(#"{"error":"not found"}"#, status: 404)) : .none
        }
        defer { proxy.stop() }
        #expect(await rig.agent("printf hi", line: line).exitCode == .done)
        #expect(try await rig.replies(to: id).count == 1)
    }

    /// Step 5: the host's own words, the draft gone, the message unread, and never again.
    @Test func aRefusalIsFinal() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let (line, proxy) = try rig.bob { request, _ in
            request.path.hasSuffix("/send")
                ? .answered(.json(#"{"error":"reply cannot be accepted"}"#, status: 409)) : .none
        }
        defer { proxy.stop() }
        let run = await rig.agent("printf hi", line: line)
        #expect(run.exitCode == .someFailed)
        #expect(
            run.out
                == #"{"type":"failed","id":\#(id),"reason":"reply cannot be accepted","given_up":true}"#
                + "\n")
        #expect(try await rig.drafts().isEmpty)
        #expect(try await rig.unread() == [id])
        let again = await rig.agent("printf hi", line: line)
        #expect(try again.decisions.first?["reason"] == .string("refused"))
        #expect(try await rig.replies(to: id).isEmpty)
    }

    @Test func anOldHostIsAnsweredOn() async throws {
        let rig = try AgentRig { $0.generation = .july2026 }
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        #expect(await rig.agent("printf hi").exitCode == .done)
        #expect(await rig.agent("printf hi").out.isEmpty)
        #expect(try await rig.replies(to: id).count == 1)
    }

    /// Field case F34.
    @Test func aCutLedgerIsSetAside() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        _ = await rig.agent("printf hi", "--max-replies", "1")
        let ledger = try rig.ledger()
        let files = LocalFileSystem()
        #expect(try files.status(ledger)?.permissions == 0o600)
        let whole = try files.read(ledger, limit: 1 << 20)
        try files.writeAtomically(
            ledger, whole + Array(#"{"record":"answered","id""#.utf8), mode: 0o600)
        let second = try await rig.alice.send("@bob@example.com", "Again?")
        let run = await rig.agent("printf hi")
        #expect(run.exitCode == .done && run.err.contains("damaged"))
        #expect(try files.status("\(ledger).damaged") != nil)
        #expect(try await rig.replies(to: id).count == 1)
        #expect(try await rig.replies(to: second).count == 1)
        #expect(await rig.agent("printf hi").err.isEmpty)
    }

    @Test func aLostLedgerAnswersNothingAgain() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        // Killed, as it were, before the message was marked read.
        let (line, proxy) = try rig.bob { request, _ in
            request.path.hasSuffix("/read") ? .requestLost : .none
        }
        defer { proxy.stop() }
        #expect(await rig.agent("printf hi", line: line).exitCode == .hostUnavailable)
        try LocalFileSystem().remove(try rig.ledger())
        let run = await rig.agent("printf hi")
        #expect(try run.decisions.first?["reason"] == .string("answered"))
        #expect(try await rig.replies(to: id).count == 1)
    }

    @Test func withoutAWritableLedgerNothingIsAnswered() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        var line = rig.bob
        line.environment["FMSG_STATE_DIR"] = "/dev/null/state"
        #expect(await rig.agent("printf hi", line: line).exitCode == .failed)
        line.environment["FMSG_STATE_DIR"] = nil
        let none = await rig.agent("printf hi", line: line)
        #expect(none.exitCode == .failed && none.err.contains("no place"))
        // A folder where the ledger should be.
        _ = await rig.agent("true", "--since", "2100-01-01")
        let ledger = try rig.ledger()
        try LocalFileSystem().remove(ledger)
        try LocalFileSystem().createFolder(ledger)
        #expect(await rig.agent("printf hi").exitCode == .failed)
        #expect(try await rig.replies(to: id).isEmpty)
    }

    @Test func onlyOneAgentRunsForAnAddress() async throws {
        let rig = try AgentRig()
        _ = await rig.agent("true")
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let lock = try LocalFileSystem().lock("\(try rig.ledger()).lock")
        try #require(lock != nil)
        let second = await rig.agent("printf hi")
        #expect(second.exitCode == .done && second.out.isEmpty)
        #expect(second.err.contains("running already (process "))
        let live = await rig.bob.run("agent", "--exec", "printf hi")
        #expect(live.exitCode == .failed && live.err.contains("running already"))
        #expect(try await rig.replies(to: id).isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test func refusedCredentialsEndIt() async throws {
        let rig = try AgentRig()
        var line = rig.bob
        line.environment["FMSG_API_KEY"] = "fmsgk_no_key"
        #expect(await rig.agent("printf hi", line: line).exitCode == .notAuthenticated)
        #expect(
            await line.run("agent", "--exec", "printf hi").exitCode == .notAuthenticated)
    }
}

/// Counts calls from any thread.
private final class RequestCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
