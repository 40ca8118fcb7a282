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
