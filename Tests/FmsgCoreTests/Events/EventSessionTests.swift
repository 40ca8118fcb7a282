import Testing

@testable import FmsgCore

/// Plays host and driver for an ``EventSession``, with a clock that is set by hand.
private struct Play {
    var session: EventSession
    var now = 1000.0
    var inbox: PagedInbox
    /// What the session handed out.
    var events: [String] = []
    var opened: [Int] = []
    var closed: [Int] = []
    var timers: [EventSession.Timer: Double] = [:]
    var ended: FmsgError?
    /// Pages that are asked for and not given yet, when they are held back.
    var holdsPages = false
    var held: [(listing: Int, offset: Int, limit: Int)] = []

    init(
        _ ids: some Sequence<Int64> = [], read: Set<Int64> = [],
        initial: EventOptions.Initial = .nothing
    ) throws {
        session = EventSession(
            options: EventOptions(
                initial: initial, lookBack: 1000, backoff: Backoff(jitter: { 0.5 })))
        inbox = try PagedInbox(ids, read: read)
        handle(.start)
    }

    mutating func handle(_ input: EventSession.Input) {
        for action in session.handle(input, at: now) {
            switch action {
            case .openSocket(let number): opened.append(number)
            case .closeSocket(let number): closed.append(number)
            case .readPage(let listing, let offset, let limit):
                held.append((listing, offset, limit))
            case .startTimer(let timer, let seconds): timers[timer] = now + seconds
            case .emit(let event): note(event)
            case .deliver(let kept): events += kept.map { "new \($0.id)" }
            case .end(let error): ended = error
            }
        }
        if !holdsPages { givePages() }
    }

    mutating func givePages() {
        while let (listing, offset, limit) = held.first {
            held.removeFirst()
            handle(.page(listing: listing, inbox.page(offset, limit)))
        }
    }

    private mutating func note(_ event: FmsgEvent) {
        switch event {
        case .connected: events.append("ready")
        case .newMessage(let message): events.append("new \(message.id)")
        case .updated(let update, let message): events.append("\(update.type) \(message.id)")
        case .ignored: events.append("ignored")
        case .disconnected(_, let retryIn): events.append("lost \(retryIn)")
        }
    }

    mutating func open(replaceIn seconds: Double? = nil) {
        handle(.socketOpened(opened.last ?? 0, me: "@me@x", secondsToReplacement: seconds))
    }

    mutating func frame(
        _ id: Int64, _ type: String = EventType.newMessage, more: String = ""
    ) {
        let text = #"{"type":"\#(type)","data":{"id":\#(id),"time":\#(id),"from":"@a@b"\#(more)}}"#
        handle(.frame(opened.last ?? 0, Array(text.utf8)))
    }

    /// Lets the time come at which a timer fires.
    mutating func fire(_ timer: EventSession.Timer) {
        guard let at = timers.removeValue(forKey: timer) else { return }
        now = max(now, at)
        handle(.timer(timer))
    }

    mutating func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }
}

@Suite struct EventSessionTests {
    @Test func whatWasThereIsKnownAndNotHandedOut() throws {
        var play = try Play(1...50)
        play.open()
        #expect(play.takeEvents() == ["ready"])
        play.frame(50)
        play.frame(51)
        #expect(play.takeEvents() == ["new 51"])
    }

    @Test func whatIsUnreadIsHandedOutFirstWhenAskedFor() throws {
        var play = try Play(1...5, read: [2, 4], initial: .unread)
        play.open()
        #expect(play.takeEvents() == ["new 1", "new 3", "new 5", "ready"])
        play.fire(.poll)
        #expect(play.takeEvents() == [])
    }

    @Test func nothingOldMovesIntoViewWhenSomethingIsDeleted() throws {
        var play = try Play(1...3000)
        play.open()
        play.inbox.remove(Set(2900...2999))
        play.fire(.poll)
        #expect(play.takeEvents() == ["ready"])
    }

    /// Field case F12: ready comes after what the list holds, and that before the kept frames.
    @Test func framesWaitUntilTheListIsRead() throws {
        var play = try Play(1...3, initial: .unread)
        play.holdsPages = true
        play.open()
        play.frame(3)
        play.frame(4)
        play.frame(2, EventType.delivered)
        #expect(play.takeEvents() == [])
        play.holdsPages = false
        play.givePages()
        #expect(play.takeEvents() == ["new 1", "new 2", "new 3", "new 4", "delivered 2", "ready"])
    }

    /// Field cases F1 and F15.
    @Test func eachMessageComesOnceWhateverItsIdAndItsWay() throws {
        var play = try Play(5...9)
        play.open()
        play.frame(20)
        play.frame(3)
        play.frame(20)
        play.inbox = try PagedInbox([3, 4, 5, 6, 7, 8, 9, 20, 21])
        play.fire(.poll)
        #expect(play.takeEvents() == ["ready", "new 20", "new 3", "new 4", "new 21"])
    }

    @Test func aLostConnectionLosesNothing() throws {
        var play = try Play(1...3)
        play.open()
        play.frame(4)
        play.handle(.socketEnded(play.opened[0], reason: "it broke"))
        #expect(play.takeEvents() == ["ready", "new 4", "lost 1.0"])
        #expect(play.closed == [play.opened[0]])
        play.inbox = try PagedInbox(1...6, read: [6])
        play.fire(.retry)
        play.open()
        #expect(play.takeEvents() == ["new 5", "new 6", "ready"])
    }

    /// Field case F11: the pause doubles, is bounded, and starts anew only after a minute's health.
    @Test func thePauseDoublesUntilAConnectionIsHealthy() throws {
        var play = try Play()
        let refused = FmsgError.transport(
            TransportError(.unreachable, "refused", mayHaveArrived: false))
        for _ in 0..<8 {
            play.handle(.socketFailed(play.opened.last ?? 0, refused))
            play.fire(.retry)
        }
        #expect(
            play.takeEvents()
                == ["1.0", "2.0", "4.0", "8.0", "16.0", "32.0", "60.0", "60.0"].map { "lost \($0)" }
        )
        play.open()
        play.now += 59
        play.handle(.socketEnded(play.opened.last ?? 0, reason: "x"))
        play.fire(.retry)
        play.open()
        play.now += 60
        play.handle(.socketEnded(play.opened.last ?? 0, reason: "x"))
        #expect(play.takeEvents() == ["ready", "lost 60.0", "ready", "lost 1.0"])
    }

    @Test func theHostsOwnPauseIsKept() throws {
        var play = try Play()
        let busy = FmsgError.refused(
            HostRefusal(
                route: .events,
                response: TransportResponse(status: 429, headers: [Header("Retry-After", "17")])))
        play.handle(.socketFailed(play.opened[0], busy))
        #expect(play.takeEvents() == ["lost 17.0"])
    }

    @Test(arguments: [401, 403, 404])
    func aRefusalEndsIt(_ status: Int) throws {
        var play = try Play()
        play.handle(.socketFailed(play.opened[0], .host(status: status, "no")))
        #expect(play.ended != nil && play.timers[.retry] == nil)
    }

    /// What stands between may answer for the host while it is away.
    @Test(arguments: [400, 403, 404])
    func afterItWasLiveOnlyARefusedCredentialEndsIt(_ status: Int) throws {
        var play = try Play()
        play.open()
        play.handle(.socketEnded(play.opened[0], reason: "gone"))
        play.fire(.retry)
        play.handle(.socketFailed(play.opened[1], .host(status: status, "no")))
        #expect(play.ended == nil && play.timers[.retry] != nil)
        play.fire(.retry)
        play.handle(.socketFailed(play.opened[2], .host(status: 401, "no")))
        #expect(play.ended != nil)
    }

    @Test func tokensThatAreDueAtOnceAreReplacedEverLessOften() throws {
        var play = try Play()
        play.open(replaceIn: 0)
        for _ in 0..<10 {
            play.fire(.replacement)
            play.open(replaceIn: 0)
        }
        #expect(play.now - 1000 >= 120 && play.opened.count == 11)
        // A token that lasts ends the haste.
        play.now += 3600
        play.fire(.replacement)
        play.open(replaceIn: 300)
        #expect(play.timers[.replacement] == play.now + 300)
    }

    /// What was read moves into view when drafts are deleted: it is nothing new.
    @Test func whatMovesIntoViewIsNotNew() throws {
        for initial in [EventOptions.Initial.nothing, .unread] {
            var play = try Play(1...1500, read: Set(1...1500), initial: initial)
            play.open()
            play.inbox.remove(Set(1351...1500))
            play.fire(.poll)
            #expect(play.takeEvents() == ["ready"])
        }
    }

    @Test(arguments: [429, 500, 502, 503])
    func aFailingHostIsTriedAgain(_ status: Int) throws {
        var play = try Play()
        play.handle(.socketFailed(play.opened[0], .host(status: status, "no")))
        #expect(play.ended == nil && play.timers[.retry] != nil)
        play.fire(.retry)
        play.holdsPages = true
        play.open()
        let listing = try #require(play.held.first).listing
        play.handle(.pageFailed(listing: listing, .host(status: status, "no")))
        #expect(play.timers[.retry] != nil && play.ended == nil)
        #expect(!play.events.contains("ready"))
    }

    /// Field case F10.
    @Test func aSilentConnectionIsDead() throws {
        var play = try Play()
        play.open()
        play.now += 80
        play.handle(.heartbeat(play.opened[0]))
        play.now += 10
        play.handle(.timer(.silence))
        #expect(play.takeEvents() == ["ready"])
        play.fire(.silence)
        #expect(play.now == 1170)
        #expect(play.takeEvents() == ["lost 1.0"])
    }

    /// Field case F13: the new socket is there before the old one goes, and what fell between is
    /// listed.
    @Test func aTokenIsReplacedBeforeItsEnd() throws {
        var play = try Play(1...2)
        play.open(replaceIn: 100)
        play.fire(.replacement)
        #expect(play.opened.count == 2 && play.closed.isEmpty)
        play.handle(
            .frame(play.opened[0], Array(#"{"type":"new_msg","data":{"id":3,"time":1}}"#.utf8)))
        play.inbox = try PagedInbox(1...4)
        play.open(replaceIn: 100)
        #expect(play.closed == [play.opened[0]])
        play.handle(.socketEnded(play.opened[0], reason: "closed by us"))
        play.frame(5)
        #expect(play.takeEvents() == ["ready", "new 3", "new 4", "new 5"])
    }

    @Test func aReplacementThatFailsLeavesTheOldOne() throws {
        var play = try Play()
        play.open(replaceIn: 100)
        play.fire(.replacement)
        play.handle(.socketFailed(play.opened[1], .host(status: 503, "away")))
        #expect(play.closed.isEmpty && play.timers[.replacement] != nil)
        play.handle(.socketEnded(play.opened[0], reason: "gone"))
        play.fire(.retry)
        play.open()
        #expect(Set(play.opened).count == play.opened.count)
        #expect(play.takeEvents() == ["ready", "lost 1.0", "ready"])
    }

    /// Field case F37.
    @Test func beingAddedIsAnArrival() throws {
        var play = try Play()
        play.open()
        let batch = #","add_to":[{"add_to_from":"@a@b","to":["@ME@x"]}]"#
        play.frame(7, EventType.recipientsAdded, more: batch)
        play.frame(7, EventType.recipientsAdded, more: batch)
        play.frame(8, EventType.recipientsAdded, more: #","to":["@me@x"]"#)
        #expect(
            play.takeEvents() == ["ready", "new 7", "recipients_added 7", "recipients_added 8"])
    }

    @Test func whatCannotBeReadIsPassedOver() throws {
        var play = try Play()
        play.open()
        play.handle(.frame(play.opened[0], Array("not JSON".utf8)))
        play.handle(.frame(play.opened[0], Array(#"{"type":"poke","data":1}"#.utf8)))
        play.handle(
            .frame(play.opened[0], Array(#"{"type":"new_msg","data":{"id":9,"time":null}}"#.utf8)))
        play.frame(10)
        #expect(play.takeEvents() == ["ready", "ignored", "new 10"])
    }

    @Test func moreFramesThanAreKeptAreListedAgain() throws {
        var play = try Play()
        play.holdsPages = true
        play.open()
        for id in 1...10_050 { play.frame(Int64(id)) }
        play.inbox = try PagedInbox(1...10_050)
        // The first list was read before any of them arrived.
        let first = try #require(play.held.first)
        play.held = []
        play.handle(.page(listing: first.listing, []))
        play.holdsPages = false
        play.givePages()
        let events = play.takeEvents()
        #expect(events.last == "ready")
        #expect(events.filter { $0.hasPrefix("new") }.count == 10_050)
        #expect(Set(events).count == 10_051)
    }

    @Test func whatWasForgottenIsFoundAgain() throws {
        var play = try Play()
        play.open()
        play.frame(1)
        play.session.forget(1)
        play.inbox = try PagedInbox([1])
        play.handle(.overflowed)
        #expect(play.takeEvents() == ["ready", "new 1", "new 1"])
    }

    @Test func aLatePageOfALostConnectionIsNotTaken() throws {
        var play = try Play(1...3)
        play.holdsPages = true
        play.open()
        let late = try #require(play.held.first)
        play.held = []
        play.handle(.socketEnded(play.opened[0], reason: "x"))
        play.fire(.retry)
        play.open()
        play.handle(.page(listing: late.listing, []))
        #expect(!play.events.contains("ready"))
        play.holdsPages = false
        play.givePages()
        #expect(play.takeEvents() == ["lost 1.0", "ready"])
    }
}
