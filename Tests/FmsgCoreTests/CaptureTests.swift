import FmsgCore
import TestSupport
import Testing

/// Every raw answer of a real host goes through the client as it would come from a network.
@Suite struct CaptureTests {
    @Test func theCapturesAreThere() { #expect(Capture.all.count > 300) }

    @Test(arguments: Capture.all.filter { (200..<300).contains($0.status) })
    func aSuccessDecodes(_ capture: Capture) async throws {
        guard let (route, parameters) = capture.route else { return }
        let client = FmsgClient.replaying(capture)
        let id = parameters.first.flatMap { Int64($0) } ?? 1
        switch route {
        case .inbox, .sent:
            let messages =
                route == .inbox ? try await client.inbox() : try await client.sent()
            let raw = try #require(try JSON.read(capture.body).array)
            #expect(messages.count == raw.count)
            for (message, value) in zip(messages, raw) {
                #expect(message.document == value.object)
                #expect(!message.from.isEmpty)
            }
        case .message:
            let message = try await client.message(.id(id))
            #expect(message.id == id)
            var document = message.document
            document[Field.id] = nil
            #expect(JSON.object(document) == (try JSON.read(capture.body)))
        case .threadMessages:
            let thread = try await client.thread(.id(id))
            #expect(thread.messages.last?.id == thread.triggerId)
            #expect(thread.isComplete == thread.messages.allSatisfy(\.visible))
        case .createDraft:
            #expect(try await client.createDraft(NewMessage(to: ["@a@b"], text: "")) > 0)
        case .replaceDraft:
            try await client.replaceDraft(id, with: NewMessage(to: ["@a@b"], text: ""))
        case .deleteDraft: try await client.deleteDraft(id)
        case .send:
            let sent = try JSON.read(capture.body).object
            #expect(sent?[Field.time]?.double ?? 0 > 1.7e9)
        case .markRead: #expect(try await client.markRead(id).timeRead ?? 0 > 1.7e9)
        case .addTo: #expect(try await client.add(["@a@b"], to: id).added > 0)
        case .react:
            let receipt = try await client.react(to: id, with: "👍")
            #expect(receipt.isChanged == (capture.status == 201))
        case .data, .attachment:
            let received = Received()
            let document: JSONObject = [
                Field.id: .integer(id), Field.size: .integer(capture.body.count),
            ]
            try await client.downloadBody(of: FmsgMessage(document: document), to: received)
            #expect(received.bytes == capture.body)
        case .threadText: #expect(try await client.threadText(of: id).hasPrefix("--- @"))
        case .attach:
            let stored = try Attachment(
                document: try #require(try JSON.read(capture.body).object))
            let file = try NewAttachment(stored.filename, size: stored.size) { { _ in [] } }
            #expect(try await client.attach(file, to: id) == stored)
        case .detach: try await client.detach("x", from: id)
        case .subAccounts: #expect(try await client.subAccounts().maximum == 5)
        case .subAccount: #expect(try await !client.subAccount("x").address.isEmpty)
        case .createSubAccount:
            let grant = try await client.createSubAccount(
                "x", allowedCIDRs: [], keyExpiresAt: "2099-01-01T00:00:00Z")
            #expect(grant.apiKey != nil)
        case .allowSubAccount: #expect(try await !client.allow([], for: "x").agent.isEmpty)
        case .rotateKey:
            let grant = try await client.rotateKey(of: "x", keyExpiresAt: "2099-01-01T00:00:00Z")
            #expect(grant.apiKey != nil)
        case .deleteSubAccount: try await client.deleteSubAccount("x")
        case .token:
            let document = try #require(try JSON.read(capture.body).object)
            let token = try AccessToken(
                token: document[Field.accessToken]?.string ?? "", receivedAt: 0, lifetime: nil)
            #expect(token.address == "@alice@example.com")
        case .events: break
        }
    }

    @Test(arguments: Capture.all.filter { $0.status >= 300 })
    func arefusalKeepsTheHostsWords(_ capture: Capture) async throws {
        let error = await #expect(throws: FmsgError.self) {
            _ = try await FmsgClient.replaying(capture).message(.id(1))
        }
        let words = try? JSON.read(capture.body).object?[Field.error]?.string
        let expected: FmsgError.Category =
            switch capture.status {
            case 401: .notAuthenticated
            case 404: words == nil ? .unsupported : .notFound
            case 400, 403, 409, 413, 422: .refused
            default: .unreachable
            }
        #expect(error?.category == expected)
        if let words { #expect(error?.message == words) }
    }

    @Test(arguments: ["events-2026-07", "events-newer"])
    func aFrameDecodes(_ file: String) throws {
        let frames = Capture.frames(file)
        #expect(frames.count >= 6)
        for (receiver, bytes) in frames {
            switch try EventFrame(bytes) {
            case .newMessage(let message):
                #expect(message.to.contains { $0.hasPrefix("@\(receiver)@") })
            case .updated(.delivery, let message): #expect(message.from.hasPrefix("@\(receiver)@"))
            case .updated(.recipients, let message): #expect(!message.addTo.isEmpty)
            case .updated(.reactions, let message):
                #expect(message.document[Field.reactions] != nil)
            case .unknown(let type): Issue.record("unknown type \(type)")
            }
        }
    }

    @Test func aFrameFromTheFutureIsToldApart() throws {
        #expect(try EventFrame(Array(#"{"type":"poke","data":7}"#.utf8)) == .unknown("poke"))
        #expect(throws: ShapeError.self) { try EventFrame(Array("hello".utf8)) }
        #expect(throws: ShapeError.self) { try EventFrame(Array(#"{"type":"new_msg"}"#.utf8)) }
    }
}

extension Capture {
    /// The route of the request; nil for the few that are none (push, unknown paths).
    var route: (Route, [String])? {
        Route.match(method: method, path: String(path.prefix { $0 != "?" }))
    }
}
