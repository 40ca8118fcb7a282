import FmsgCore
import FmsgHost
import FmsgTransport
import Synchronization
import TestSupport
import Testing
import WebSocketFrames

/// A stream of Bob's events under way, over the real transport.
private struct Listening: ~Copyable {
    let client: FmsgClient
    private var iterator: FmsgEvents.Iterator
    /// The ids of the messages that were handed out, in order.
    private(set) var ids: [Int64] = []
    private(set) var losses: [String] = []
    private(set) var readiness = 0

    init(
        _ url: String, key: String, clockOffset: Double = 0,
        options: EventOptions = Listening.options()
    ) throws {
        client = FmsgClient(
            host: try HostURL(url), credential: .apiKey(key),
            transport: CurlTransport(settings: TransportSettings()),
            clock: .system(offset: clockOffset))
        iterator = client.events(options).makeAsyncIterator()
    }

    static func options(
        initial: EventOptions.Initial = .nothing, poll: Double = 300, ping: Double = 45
    ) -> EventOptions {
        EventOptions(
            initial: initial, pollPeriod: poll, pingPeriod: ping, backoff: Backoff(0.01...0.1))
    }

    /// The next event, noted.
    @discardableResult
    mutating func next() async throws -> FmsgEvent {
        let event = try #require(try await iterator.next())
        switch event {
        case .connected: readiness += 1
        case .newMessage(let message): ids.append(message.id)
        case .disconnected(let reason, _): losses.append(reason)
        default: break
        }
        return event
    }

    mutating func untilReady() async throws {
        let before = readiness
        while readiness == before { try await next() }
    }

    mutating func until(_ id: Int64) async throws {
        while !ids.contains(id) { try await next() }
    }

    mutating func untilLost() async throws {
        let before = losses.count
        while losses.count == before { try await next() }
    }
}

extension FmsgClock {
    /// The system's, with a wall clock that goes wrong by so many seconds.
    static func system(offset: Double) -> FmsgClock {
        FmsgClock(
            now: { SystemClock.now() + offset }, uptime: { SystemClock.now() },
            // The client's own pauses, which are under test; no test waits by it.
            sleep: { try await Task.sleep(for: .seconds($0)) })
    }
}

/// Faults at every place of an event stream: nothing is lost, nothing comes twice.
@Suite struct EventStreamTests {
    private func send(_ host: TestHost, _ text: String = "x") async throws -> Int64 {
        try #require(Int64(try await CommandLine(host, as: "alice").send("@bob@example.com", text)))
    }

    private static func isSocket(_ request: ScriptedRequest) -> Bool { request.path == "/fmsg/ws" }

    private static func isList(_ request: ScriptedRequest) -> Bool {
        request.path.hasPrefix("/fmsg?")
    }

    /// Before, inside and after each frame: the answer to the upgrade is some 150 bytes long, a
    /// frame some 700.
    @Test(arguments: Array(stride(from: 0, through: 2600, by: 65)))
    func aConnectionThatIsCutLosesNothing(_ length: Int) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let before = try await send(host)
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isSocket(request) && number == 0 ? .socketCut(after: length) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        try await bob.untilReady()
        var sent: [Int64] = []
        for _ in 0..<3 { sent.append(try await send(host)) }
        for id in sent { try await bob.until(id) }
        let last = try await send(host)
        try await bob.until(last)
        #expect(bob.ids.sorted() == sent + [last])
        #expect(!bob.ids.contains(before))
    }

    @Test(arguments: [
        FaultProxy.Fault.requestLost, .answerLost, .answerCut(after: 0), .answerCut(after: 90),
        .answerCut(after: 400),
    ])
    func aListThatIsCutIsReadAgain(_ fault: FaultProxy.Fault) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let unread = [try await send(host), try await send(host)]
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isList(request) && number < 2 ? fault : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(
            proxy.url, key: host.key("bob"), options: Listening.options(initial: .unread))
        try await bob.untilReady()
        #expect(bob.ids == unread)
        #expect(!bob.losses.isEmpty)
    }

    /// At each step of connecting: the token, the upgrade, the list.
    @Test(arguments: [
        ("/fmsg/token", 429), ("/fmsg/token", 500), ("/fmsg/token", 502), ("/fmsg/token", 503),
        ("/fmsg/ws", 401), ("/fmsg/ws", 429), ("/fmsg/ws", 500), ("/fmsg/ws", 502),
        ("/fmsg/ws", 503), ("/fmsg", 401), ("/fmsg", 429), ("/fmsg", 500), ("/fmsg", 502),
        ("/fmsg", 503),
    ])
    func aFailingHostIsTriedAgain(_ path: String, _ status: Int) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let unread = try await send(host)
        let proxy = try FaultProxy(to: host.url) { request, number in
            guard request.path.prefix(while: { $0 != "?" }) == path, number == 0 else {
                return .none
            }
            return status == 502
                ? .answered(
                    .answer(
                        status: 502, headers: ["Content-Type: text/html"],
                        body: Array("<html>bad gateway</html>".utf8)))
                : .answered(.json(#"{"error":"not now"}"#, status: status))
        }
        defer { proxy.stop() }
        var bob = try Listening(
            proxy.url, key: host.key("bob"), options: Listening.options(initial: .unread))
        try await bob.untilReady()
        #expect(bob.ids == [unread])
        // A 401 is answered with a fresh token, the others with patience.
        #expect(bob.losses.count == (status == 401 ? 0 : 1))
    }

    @Test(arguments: [
        ("/fmsg/token", 401), ("/fmsg/token", 403), ("/fmsg/ws", 401), ("/fmsg/ws", 403),
        ("/fmsg", 401), ("/fmsg", 403),
    ])
    func aRefusalEndsIt(_ path: String, _ status: Int) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.path.prefix { $0 != "?" } == path
                ? .answered(.json(#"{"error":"api key revoked"}"#, status: status)) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        var failure: FmsgError?
        do {
            while true { try await bob.next() }
        } catch let error as FmsgError {
            failure = error
        }
        #expect(failure?.category == (status == 401 ? .notAuthenticated : .refused))
        #expect(failure?.message == "api key revoked")
        #expect(proxy.requests.count < 8)
    }

    /// Field case F10.
    @Test func aPeerThatVanishesIsNoticed() async throws {
        let host = try TestHost { $0.pingPeriod = 0.1 }
        defer { host.stop() }
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isSocket(request) && number == 0 ? .socketSilent(after: 200) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(
            proxy.url, key: host.key("bob"), options: Listening.options(ping: 0.2))
        try await bob.untilReady()
        let meanwhile = try await send(host)
        try await bob.until(meanwhile)
        // On a busy machine a ping of the second connection may come late as well.
        #expect(!bob.losses.isEmpty)
        #expect(bob.losses.allSatisfy { $0.contains("nothing was heard") })
        let after = try await send(host)
        try await bob.until(after)
        #expect(bob.ids == [meanwhile, after])
    }

    /// Field case F11.
    @Test func aHostThatComesBackIsFoundAgain() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let target = Mutex(host.url)
        let proxy = try FaultProxy(to: { target.withLock { $0 } })
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        try await bob.untilReady()
        for _ in 0..<3 {
            host.host.stop()
            try await bob.untilLost()
            try await bob.untilLost()
            try host.host.start()
            let id = try await send(host)
            target.withLock { $0 = host.url }
            try await bob.until(id)
        }
        #expect(bob.ids.count == 3 && Set(bob.ids).count == 3)
    }

    /// Field case F13.
    @Test func aTokenIsReplacedUnderALiveSocket() async throws {
        let host = try TestHost { $0.tokenLifetime = 1 }
        defer { host.stop() }
        var bob = try Listening(host.url, key: host.key("bob"))
        try await bob.untilReady()
        var sent: [Int64] = []
        while host.requests.all.count(where: { $0 == "GET /fmsg/ws" }) < 4 {
            let id = try await send(host)
            sent.append(id)
            try await bob.until(id)
        }
        #expect(bob.ids == sent && bob.losses.isEmpty)
    }

    @Test(arguments: [-7200.0, 7200])
    func aWrongClockIsNoHindrance(_ offset: Double) async throws {
        let host = try TestHost()
        defer { host.stop() }
        var bob = try Listening(host.url, key: host.key("bob"), clockOffset: offset)
        try await bob.untilReady()
        let id = try await send(host)
        try await bob.until(id)
        // One by Bob; Alice's command line had another.
        #expect(host.requests.all.count { $0 == "POST /fmsg/token" } == 2)
    }

    @Test func strangeFramesArePassedOver() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let strange = [
            "not JSON", #"{"type":"poke","data":{"id":1}}"#, "[]", #"{"type":7}"#,
            #"{"type":"new_msg","data":{"id":-1}}"#, #"{"type":"new_msg"}"#,
        ]
        let bytes = strange.flatMap { WebSocketFrame(.text, Array($0.utf8)).encoded(mask: nil) }
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isSocket(request) && number == 0 ? .socketInjected(bytes) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        try await bob.untilReady()
        let id = try await send(host)
        try await bob.until(id)
        #expect(bob.ids == [id] && bob.losses.isEmpty)
    }

    @Test func aFrameBeyondTheLimitEndsTheConnectionAlone() async throws {
        let host = try TestHost()
        defer { host.stop() }
        // The header of a text frame of 64 MB.
        let header: [UInt8] = [0x81, 127, 0, 0, 0, 0, 4, 0, 0, 0]
        let proxy = try FaultProxy(to: host.url) { request, number in
            Self.isSocket(request) && number == 0
                ? .socketInjected(header + [UInt8](repeating: 0x20, count: 1 << 20)) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        try await bob.untilReady()
        let id = try await send(host)
        try await bob.until(id)
        #expect(bob.ids == [id])
        while bob.losses.isEmpty { try await bob.next() }
    }

    /// Field case F14.
    @Test func whatIsNotReadableYetIsAskedForAgain() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let long = String(repeating: "long ", count: 400)
        let proxy = try FaultProxy(to: host.url) { request, number in
            request.path.hasSuffix("/data") && number < 2
                ? .answered(.json(#"{"error":"message not found"}"#, status: 404)) : .none
        }
        defer { proxy.stop() }
        var bob = try Listening(proxy.url, key: host.key("bob"))
        try await bob.untilReady()
        _ = try await send(host, long)
        while true {
            guard case .newMessage(let message) = try await bob.next() else { continue }
            #expect(try await bob.client.withBodyOnceReadable(message).wholeText == long)
            break
        }
    }

    /// Field case F37, on a host that raises no event for it.
    @Test func beingAddedLateIsNoticedByThePeriodicLook() async throws {
        let host = try TestHost { $0.generation = .july2026 }
        defer { host.stop() }
        let early = try await FmsgClient.of(host, "alice").send(
            NewMessage(to: ["@carol@example.com"], text: "for Carol")
        ).id
        _ = try await send(host)
        var bob = try Listening(
            host.url, key: host.key("bob"), options: Listening.options(poll: 0.1))
        try await bob.untilReady()
        _ = try await FmsgClient.of(host, "carol").add(["@bob@example.com"], to: early)
        try await bob.until(early)
        #expect(bob.ids == [early])
    }

    /// Field case F1: a draft made before a message and sent after it.
    @Test func arrivalIsNotInTheOrderOfIds() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = try FmsgClient.of(host, "alice")
        let draft = try await alice.createDraft(NewMessage(to: ["@bob@example.com"], text: "old"))
        var bob = try Listening(
            host.url, key: host.key("bob"), options: Listening.options(initial: .unread))
        try await bob.untilReady()
        let newer = try await send(host)
        try await bob.until(newer)
        _ = try await alice.sendDraft(draft, of: NewMessage(to: ["@bob@example.com"], text: "old"))
        try await bob.until(draft)
        #expect(bob.ids == [newer, draft])
    }

    @Test func whoeverIteratesSlowlyLosesNothing() async throws {
        let host = try TestHost()
        defer { host.stop() }
        var bob = try Listening(host.url, key: host.key("bob"))
        try await bob.untilReady()
        let alice = try FmsgClient.of(host, "alice")
        var sent: [Int64] = []
        for number in 0..<200 {
            sent.append(
                try await alice.send(NewMessage(to: ["@bob@example.com"], text: "\(number)")).id)
        }
        try await bob.until(sent[199])
        #expect(bob.ids == sent)
    }

    @Test func cancellationEndsItAndClosesTheSocket() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let url = host.url
        let key = host.key("bob")
        let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var bob = try Listening(url, key: key)
            try await bob.untilReady()
            continuation.yield()
            try await bob.next()
        }
        for await _ in ready { break }
        #expect(host.host.eventSocketCount == 1)
        task.cancel()
        await #expect(throws: FmsgError.cancelled) { try await task.value }
        while host.host.eventSocketCount > 0 { await Task.yield() }
    }
}
