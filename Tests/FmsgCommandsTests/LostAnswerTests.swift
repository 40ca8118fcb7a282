import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// Field cases F3 and F9: whatever answer is lost, exactly one message exists afterwards, and
/// what is said of it is true.
@Suite struct LostAnswerTests {
    /// The requests of a send, and what befalls each: first time only, or whenever it is made.
    private func send(
        _ host: TestHost,
        fault: @escaping @Sendable (_ request: ScriptedRequest, _ number: Int) -> FaultProxy.Fault
    ) async throws -> Run {
        let proxy = try FaultProxy(to: host.url, fault: fault)
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        return await alice.run("send", "@bob@example.com", "once", "--topic", "T", "--json")
    }

    private static func isCreation(_ request: ScriptedRequest) -> Bool {
        request.method == "POST" && request.path == "/fmsg"
    }

    private static func isSend(_ request: ScriptedRequest) -> Bool {
        request.path.hasSuffix("/send")
    }

    /// The messages that Bob has got.
    private func received(_ host: TestHost) async throws -> [JSON] {
        let run = await CommandLine(host, as: "bob").run("inbox", "--json", "--all")
        return try run.json.array ?? []
    }

    /// What stands in Alice's sent list, drafts too.
    private func drafts(_ host: TestHost) async throws -> [JSON] {
        let run = await CommandLine(host, as: "alice").run("sent", "--drafts", "--json", "--all")
        return try (run.json.array ?? []).filter { $0["time"] == .null }
    }

    @Test(arguments: [
        FaultProxy.Fault.requestLost, .answerLost, .answerCut(after: 0), .answerCut(after: 40),
    ])
    func aLostCreationIsSettled(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, number in
            Self.isCreation(request) && number == 0 ? fault : .none
        }
        #expect(run.exitCode == .done, "\(run.err)")
        let messages = try await received(host)
        #expect(messages.count == 1)
        #expect(try run.json["id"] == messages.first?["id"])
        #expect(try await drafts(host).isEmpty)
    }

    @Test(arguments: [
        FaultProxy.Fault.requestLost, .answerLost, .answerCut(after: 0), .answerCut(after: 60),
    ])
    func aLostSendIsSettled(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, number in
            Self.isSend(request) && number == 0 ? fault : .none
        }
        #expect(run.exitCode == .done, "\(run.err)")
        let messages = try await received(host)
        #expect(messages.count == 1)
        #expect(try run.json["id"] == messages.first?["id"])
        #expect(try run.json["time"] == messages.first?["time"])
    }

    @Test func bothLostIsSettled() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, number in
            number == 0 && (Self.isSend(request) || Self.isCreation(request)) ? .answerLost : .none
        }
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try await received(host).count == 1)
    }

    @Test func anOutcomeThatCannotBeFoundOutIsSaid() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, _ in
            if Self.isSend(request) { return .answerLost }
            return request.method == "GET" ? .requestLost : .none
        }
        #expect(run.exitCode == .outcomeUnknown)
        #expect(run.out.isEmpty)
        let error = try JSON.read(run.err)["error"]
        #expect(error?["code"] == .string("outcome_unknown"))
        let draftId = try #require(error?["draft_id"]?.int64)
        #expect(try await received(host).map { $0["id"]?.int64 } == [draftId])
    }

    @Test func aSendThatNeverComesThroughIsTakenBack() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, _ in
            Self.isSend(request) ? .requestLost : .none
        }
        #expect(run.exitCode == .hostUnavailable)
        #expect(try await received(host).isEmpty)
        #expect(try await drafts(host).isEmpty)
    }

    @Test func aCreationThatNeverComesThroughSendsNothing() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await send(host) { request, _ in
            Self.isCreation(request) ? .requestLost : .none
        }
        #expect(run.exitCode == .hostUnavailable)
        #expect(run.out.isEmpty)
        #expect(try await received(host).isEmpty)
    }

    /// A text longer than its preview is compared whole before a found draft is used.
    @Test func aDraftOfAnotherTextIsNotTakenForIt() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let client = try FmsgClient.of(host, "alice")
        let stem = String(repeating: "x", count: 2000)
        let other = try await client.createDraft(
            NewMessage(to: ["@bob@example.com"], text: stem + "a"))
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isCreation(request) && number == 0 ? .requestLost : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "-m", stem + "b", "--json")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try run.json["id"]?.int64 != other)
        let body = try await client.message(.id(other))
        #expect(body.isDraft)
    }

    /// The host's own refusal ends it with its own words, and the draft is gone (F6).
    @Test func aRefusedSendLeavesNothingBehind() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let words = "reply cannot be accepted by recipient host(s)"
        let run = try await send(host) { request, _ in
            Self.isSend(request)
                ? .answered(.json(#"{"error":"\#(words)"}"#, status: 409)) : .none
        }
        #expect(run.exitCode == .refused)
        let error = try JSON.read(run.err)["error"]
        #expect(error?["message"] == .string(words) && error?["status"] == .integer(409))
        #expect(try await received(host).isEmpty)
        #expect(try await drafts(host).isEmpty)
    }
}
