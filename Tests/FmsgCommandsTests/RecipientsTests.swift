import CommandLineTool
import FmsgCore
import TestSupport
import Testing
import WebSocketFrames

/// Added recipients, delivery states, and sends that wait for them.
@Suite struct RecipientsTests {
    @Test func whoIsAddedGetsTheMessage() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let id = try await alice.send("@bob@example.com", "For two?")
        let added = await alice.run("add-to", id, "@carol@example.com", "@CAROL@example.com")
        #expect(added.exitCode == .done, "\(added.err)")
        #expect(added.lines.first?.hasPrefix("\(id)\t") == true)
        let carol = CommandLine(host, as: "carol")
        #expect(await carol.run("inbox").out.contains("For two?"))
        let json = try await carol.run("show", id, "--json").json
        #expect(json["add_to"]?[0]?["to"] == .array([.string("@carol@example.com")]))
        // Who was added cannot add; the words are the host's.
        let refused = await carol.run("add-to", id, "@alice@example.com")
        #expect(refused.exitCode == .refused)
        #expect(refused.err.contains("only the sender or a recipient may add recipients"))
    }

    @Test func namesComeFromTheDirectoryAndMistakesAreToldBeforeARequest() async throws {
        let host = try TestHost()
        defer { host.stop() }
        var alice = CommandLine(host, as: "alice")
        alice.environment["FMSG_DEFAULT_DOMAIN"] = "example.com"
        let id = try await alice.send("@bob@example.com", "x")
        let added = await alice.run("add-to", id, "--to", "carol", "--json")
        #expect(try added.json["added"] == .integer(1))
        #expect(added.err == "fmsg: carol is @carol@example.com\n")
        host.requests.clear()
        for wrong in [
            ["add-to", id], ["add-to"], ["add-to", id, "carol"], ["add-to", "x", "@a@b"],
        ] {
            #expect(await alice.run(wrong).exitCode == .usage)
        }
        #expect(host.requests.all.isEmpty)
        #expect(await alice.run("add-to", "999", "@bob@example.com").exitCode == .notFound)
    }

    @Test(arguments: [FaultProxy.Fault.answerLost, .answerCut(after: 30)])
    func aLostAnswerIsSettledByALook(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "x")
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.path.hasSuffix("/add-to") ? fault : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let added = await alice.run("add-to", id, "@carol@example.com", "--json")
        #expect(added.exitCode == .done, "\(added.err)")
        #expect(try added.json["batch_id"]?.int64 != nil)
        #expect(host.requests.all.count { $0.hasSuffix("/add-to") } == 1)
    }

    @Test func anAdditionThatNeverArrivedIsNoSuccess() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let id = try await CommandLine(host, as: "alice").send("@bob@example.com", "x")
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.path.hasSuffix("/add-to") ? .requestLost : .none
        }
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        #expect(await alice.run("add-to", id, "@carol@example.com").exitCode == .hostUnavailable)
    }

    // MARK: Delivery

    @Test func theDeliveryIsToldInWords() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = CommandLine(host, as: "alice")
        let id = try await alice.send(
            "@bob@example.com", "@nobody@example.com", "@far@elsewhere.example", "x")
        let run = await alice.run("show", id, "--delivery")
        #expect(run.exitCode == .someFailed)
        let rows = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let byAddress = Dictionary(uniqueKeysWithValues: rows.map { ($0[1], $0.dropFirst(2)) })
        #expect(byAddress["@bob@example.com"]?.first == "delivered")
        #expect(
            byAddress["@nobody@example.com"]?.elementsEqual([
                "failed", "", "user unknown", "check the spelling of the address",
            ]) == true)
        #expect(
            byAddress["@far@elsewhere.example"]?.elementsEqual([
                "pending", "", "no answer yet, will be retried", "",
            ]) == true)
        #expect(run.err.contains("1 of 3 recipients failed: @nobody@example.com"))
        let json = try await alice.run("show", id, "--delivery", "--json").json
        #expect(json["body"] == nil && json["delivery"]?.array?.count == 3)
        // Nobody failed, and nothing was sent.
        let good = try await alice.send("@bob@example.com", "x")
        #expect(await alice.run("show", good, "--delivery").exitCode == .done)
        let draft = try await FmsgClient.of(host, "alice").createDraft(
            NewMessage(to: ["@bob@example.com"], text: "x"))
        let unsent = await alice.run("show", String(draft), "--delivery")
        #expect(unsent.exitCode == .usage && unsent.err.contains("never sent"))
    }

    @Test func aSendThatWaitsTellsOfEachRecipient() async throws {
        let host = try TestHost()
        defer { host.stop() }
        var alice = CommandLine(host, as: "alice")
        let good = await alice.run("send", "@bob@example.com", "@carol@example.com", "x", "--wait")
        #expect(good.exitCode == .done && good.err.isEmpty)
        #expect(good.lines.count == 3 && good.lines[1].contains("\tdelivered\t"))
        let bad = await alice.run("send", "@bob@example.com", "@no@example.com", "x", "--wait=5")
        #expect(bad.exitCode == .someFailed)
        #expect(bad.err.contains("was sent, but 1 of 2 recipients failed: @no@example.com"))
        let json = await alice.run(
            "send", "@bob@example.com", "@no@example.com", "x", "--wait", "--json")
        #expect(json.exitCode == .someFailed)
        #expect(try json.json["delivery"]?.array?.count == 2)
        #expect(try JSON.read(json.err)["error"]?["id"] == (try json.json["id"]))
        // A host elsewhere does not answer within the time.
        alice.time = .ofSystem
        let slow = await alice.run("send", "@far@elsewhere.example", "x", "--wait=0.01")
        #expect(slow.exitCode == .nothingCame)
        #expect(slow.err.contains("1 of 1 recipients are still pending"))
        #expect(await alice.run("send", "@bob@example.com", "x", "--wait=-1").exitCode == .usage)
    }

    /// The host of a message that is pending until something happens.
    private func pendingProxy(
        _ host: TestHost,
        look: @escaping @Sendable (_ id: Substring, _ number: Int) -> FaultProxy.Fault,
        socket: @escaping @Sendable () -> FaultProxy.Fault
    ) throws -> FaultProxy {
        try FaultProxy(to: host.url) { request, number in
            if request.path == "/fmsg/ws" { return socket() }
            guard request.method == "GET", request.path.hasPrefix("/fmsg/") else { return .none }
            return look(request.path.dropFirst("/fmsg/".count), number)
        }
    }

    /// A message of Alice to Bob as a host tells it, with what it says of the delivery.
    private static func message(_ id: Int64?, _ delivery: String) -> String {
        let named = id.map { #""id":\#($0),"# } ?? ""
        return #"{\#(named)"from":"@alice@example.com","to":["@bob@example.com"],"time":1.5,"#
            + #""to_delivery":[{"addr":"@bob@example.com",\#(delivery)}]}"#
    }

    private static let pending = message(nil, #""time_delivered":null,"response_code":-1"#)

    private static func delivered(_ id: Int64) -> String {
        let data = message(id, #""time_delivered":"2026-11-30T12:00:00Z","response_code":200"#)
        return #"{"type":"delivered","data":\#(data)}"#
    }

    @Test func theEventOfADeliveryEndsTheWaiting() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let next = Int64(try await CommandLine(host, as: "alice").send("@bob@example.com", "x"))
        let id = try #require(next) + 1
        let frame = WebSocketFrame(.text, Array(Self.delivered(id).utf8))
        let proxy = try pendingProxy(
            host, look: { _, _ in .answered(.json(Self.pending)) },
            socket: { .socketInjected(frame.encoded(mask: nil)) })
        defer { proxy.stop() }
        var alice = CommandLine(url: proxy.url, key: host.key("alice"))
        alice.time = .ofSystem
        let run = await alice.run("send", "@bob@example.com", "x", "--wait=600", "--json")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(try run.json["delivery"]?[0]?["state"] == .string("delivered"))
    }

    @Test func withoutAnEventStreamALookEndsTheWaiting() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try pendingProxy(
            host,
            look: { _, number in number < 2 ? .answered(.json(Self.pending)) : .none },
            socket: { .answered(.json(#"{"error":"no"}"#, status: 503)) })
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "x", "--wait=600")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(run.lines.last?.contains("\tdelivered\t") == true)
    }

    @Test func aWaitThatFailsSaysThatTheMessageWasSent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try pendingProxy(
            host, look: { _, _ in .answered(.json(#"{"error":"gone"}"#, status: 403)) },
            socket: { .none })
        defer { proxy.stop() }
        let alice = CommandLine(url: proxy.url, key: host.key("alice"))
        let run = await alice.run("send", "@bob@example.com", "x", "--wait", "--json")
        #expect(run.exitCode == .refused)
        #expect(try run.json["id"]?.int64 != nil)
        #expect(try JSON.read(run.err)["error"]?["message"]?.string?.contains("was sent") == true)
    }
}
