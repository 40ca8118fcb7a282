/// The life of an event stream as a pure state machine (design: live semantics): what to do about
/// what happens, with no socket, list or clock of its own.
///
/// A connection begins with an open socket, whose frames are kept; then the inbox is read; then
/// what is new is handed out, the kept frames after it; then it is ready. A lost connection is
/// tried again after a pause that doubles, and a token is replaced before it ends by a second
/// socket that takes over.
struct EventSession: Sendable {
    enum Action: Sendable, Equatable {
        case openSocket(Int)
        case closeSocket(Int)
        /// - listing: the number of the list that the page is of.
        case readPage(listing: Int, offset: Int, limit: Int)
        case startTimer(Timer, seconds: Double)
        case emit(FmsgEvent)
        case deliver([KeptMessage])
        case end(FmsgError)
    }

    enum Input: Sendable {
        case start
        /// - Parameters:
        ///   - me: the acting address.
        ///   - secondsToReplacement: after which the token needs to be replaced; nil for never.
        case socketOpened(Int, me: String, secondsToReplacement: Double?)
        case socketFailed(Int, FmsgError)
        case frame(Int, [UInt8])
        case heartbeat(Int)
        case socketEnded(Int, reason: String)
        case page(listing: Int, [FmsgMessage])
        case pageFailed(listing: Int, FmsgError)
        case timer(Timer)
        /// What could not be handed out was forgotten: it must be found again.
        case overflowed
    }

    enum Timer: Hashable, Sendable {
        case retry, silence, poll, replacement
    }

    private enum Phase: Sendable, Equatable {
        case idle
        /// The socket is being opened, or it is open and the inbox is being read.
        case connecting
        case live
        case pausing
    }

    /// The most frames that are kept while the inbox is read.
    static let maximumKeptFrames = 10_000

    private let options: EventOptions
    private var me = ""
    private var phase = Phase.idle
    /// Sockets and lists are numbered, so that what comes late from one that was given up is known.
    private var lastNumber = 0
    private var socket = 0
    private var replacement: Int?
    private var listing = 0
    private var isOpen = false
    private var seen = SeenMessages()
    private var isFirstCatchUp = true
    private var catchUp: InboxCatchUp?
    private var keptFrames: [[UInt8]] = []
    private var mustListAgain = false
    private var failures = 0
    /// Whether the stream was live: what refuses another connection then is in between, or passes.
    private var hasConnected = false
    /// How many times in a row a token needed to be replaced soon after the last time.
    private var hastyReplacements = 0
    private var openedAt = 0.0
    private var liveSince = 0.0
    private var lastHeard = 0.0

    init(options: EventOptions) { self.options = options }

    /// What to do, in order.
    /// - Parameter now: seconds of a clock that never goes back.
    mutating func handle(_ input: Input, at now: Double) -> [Action] {
        switch input {
        case .start: return connect()
        case .socketOpened(let number, let me, let seconds):
            self.me = me
            return opened(number, seconds, now)
        case .socketFailed(let number, let error): return failed(number, error, now)
        case .frame(let number, let bytes):
            heard(number, now)
            return frame(bytes)
        case .heartbeat(let number):
            heard(number, now)
            return []
        case .socketEnded(let number, let reason):
            guard number == socket, isOpen else { return [] }
            return disconnect(reason, now)
        case .page(let listing, let page):
            return listing == self.listing ? read(page, now) : []
        case .pageFailed(let listing, let error):
            return listing == self.listing ? listFailed(error, now) : []
        case .timer(let timer): return fired(timer, now)
        case .overflowed:
            guard phase == .live else { return [] }
            return catchUp == nil ? list() : again()
        }
    }

    /// Takes a message that was emitted but could not be handed out back.
    mutating func forget(_ id: Int64) { seen.remove(id) }

    // MARK: Connecting

    private mutating func connect() -> [Action] {
        phase = .connecting
        socket = nextNumber()
        isOpen = false
        return [.openSocket(socket)]
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func opened(_ number: Int, _ seconds: Double?, _ now: Double) -> [Action] {
        var actions: [Action] = []
        if number == replacement {
            // The old socket is dropped only now that the new one is there.
            actions.append(.closeSocket(socket))
            replacement = nil
        } else if number != socket || phase != .connecting {
            return [.closeSocket(number)]
        }
        socket = number
        isOpen = true
        lastHeard = now
        if let seconds {
            actions.append(.startTimer(.replacement, seconds: replacementPause(seconds, now)))
        }
        openedAt = now
        actions.append(.startTimer(.silence, seconds: 2 * options.pingPeriod))
        return actions + (catchUp == nil ? list() : again())
    }

    /// A host that gives tokens which are to be replaced at once is not asked for ever more.
    private mutating func replacementPause(_ seconds: Double, _ now: Double) -> Double {
        let isHasty = lastNumber > 1 && now - openedAt < options.healthyAfter
        hastyReplacements = isHasty ? hastyReplacements + 1 : 0
        guard hastyReplacements > 1 else { return seconds }
        return max(seconds, options.backoff.pause(after: hastyReplacements - 2))
    }

    private func endsStream(_ error: FmsgError) -> Bool {
        switch error.category {
        case .unreachable: false
        case .notAuthenticated, .cancelled: true
        default: !hasConnected
        }
    }

    private mutating func failed(_ number: Int, _ error: FmsgError, _ now: Double) -> [Action] {
        if endsStream(error) { return end(error) }
        if number == replacement {
            // The old socket still serves.
            replacement = nil
            failures += 1
            return [.startTimer(.replacement, seconds: pause(after: error))]
        }
        guard number == socket, phase == .connecting else { return [] }
        return disconnect(error.message, now, error)
    }

    private mutating func disconnect(
        _ reason: String, _ now: Double, _ error: FmsgError? = nil
    ) -> [Action] {
        if phase == .live, now - liveSince >= options.healthyAfter { failures = 0 }
        var actions: [Action] = isOpen ? [.closeSocket(socket)] : []
        if let replacement { actions.append(.closeSocket(replacement)) }
        replacement = nil
        isOpen = false
        catchUp = nil
        listing = 0
        keptFrames = []
        mustListAgain = false
        phase = .pausing
        let seconds = pause(after: error)
        failures += 1
        actions.append(.emit(.disconnected(reason: reason, retryIn: seconds)))
        actions.append(.startTimer(.retry, seconds: seconds))
        return actions
    }

    private func pause(after error: FmsgError?) -> Double {
        options.backoff.pause(after: failures, error)
    }

    private mutating func end(_ error: FmsgError) -> [Action] {
        phase = .idle
        let open: [Action] = isOpen ? [.closeSocket(socket)] : []
        isOpen = false
        return open + [.end(error)]
    }

    // MARK: Reading the inbox

    private mutating func list() -> [Action] {
        mustListAgain = false
        // The first time it is read two pages further than it is looked at later, so that nothing
        // old moves into view when something is deleted.
        let isNote = isFirstCatchUp && options.initial == .nothing
        let catchUp = InboxCatchUp(
            lookBack: options.lookBack + (isFirstCatchUp ? 2 * FmsgClient.maximumPage : 0),
            goesOnWhileNew: !isNote)
        self.catchUp = catchUp
        listing = nextNumber()
        return actions(of: catchUp.start())
    }

    /// Has the list read once more when it is through.
    private mutating func again() -> [Action] {
        mustListAgain = true
        return []
    }

    private func actions(of action: InboxCatchUp.Action) -> [Action] {
        guard case .readPage(let offset, let limit) = action else { return [] }
        return [.readPage(listing: listing, offset: offset, limit: limit)]
    }

    private mutating func read(_ page: [FmsgMessage], _ now: Double) -> [Action] {
        guard var catchUp else { return [] }
        if isFirstCatchUp, options.initial == .unread {
            for message in page where message.isRead && !message.isDraft {
                _ = seen.insert(message.id)
            }
        }
        let action = catchUp.next(page: page) { [seen] message in !seen.contains(message.id) }
        self.catchUp = catchUp
        guard case .finished(let messages) = action else { return actions(of: action) }
        self.catchUp = nil
        var actions: [Action] = []
        let new = messages.filter { seen.insert($0.id) }
        if !isFirstCatchUp || options.initial == .unread, !new.isEmpty {
            actions.append(.deliver(new))
        }
        if mustListAgain {
            isFirstCatchUp = false
            return actions + list()
        }
        return actions + finishCatchUp(now)
    }

    private mutating func finishCatchUp(_ now: Double) -> [Action] {
        isFirstCatchUp = false
        let poll = Action.startTimer(.poll, seconds: options.pollPeriod)
        guard phase == .connecting else { return [poll] }
        phase = .live
        hasConnected = true
        liveSince = now
        let frames = keptFrames
        keptFrames = []
        return frames.flatMap { frame($0) } + [.emit(.connected), poll]
    }

    private mutating func listFailed(_ error: FmsgError, _ now: Double) -> [Action] {
        catchUp = nil
        if endsStream(error) { return end(error) }
        if phase == .live { return [.startTimer(.poll, seconds: pause(after: error))] }
        return phase == .connecting ? disconnect(error.message, now, error) : []
    }

    // MARK: Frames

    private mutating func heard(_ number: Int, _ now: Double) {
        if number == socket { lastHeard = now }
    }

    private mutating func frame(_ bytes: [UInt8]) -> [Action] {
        guard phase == .live else {
            guard phase == .connecting else { return [] }
            if keptFrames.count < Self.maximumKeptFrames {
                keptFrames.append(bytes)
            } else {
                mustListAgain = true
            }
            return []
        }
        do {
            return event(of: try EventFrame(bytes))
        } catch {
            return [.emit(.ignored("an event cannot be read: \(error.reason)"))]
        }
    }

    private mutating func event(of frame: EventFrame) -> [Action] {
        switch frame {
        case .newMessage(let message): return arrival(message)
        case .updated(.recipients, let message)
        where message.onlyBatch(of: me) != nil && !seen.contains(message.id):
            return arrival(message)
        case .updated(let update, let message): return [.emit(.updated(update, message))]
        case .unknown: return []
        }
    }

    private mutating func arrival(_ message: FmsgMessage) -> [Action] {
        guard !message.isDraft, seen.insert(message.id) else { return [] }
        return [.emit(.newMessage(message))]
    }

    // MARK: Timers

    private mutating func fired(_ timer: Timer, _ now: Double) -> [Action] {
        switch timer {
        case .retry: return phase == .pausing ? connect() : []
        case .poll: return phase == .live && catchUp == nil ? list() : []
        case .replacement:
            guard isOpen, replacement == nil else { return [] }
            let number = nextNumber()
            replacement = number
            return [.openSocket(number)]
        case .silence:
            guard isOpen else { return [] }
            let silence = now - lastHeard
            let limit = 2 * options.pingPeriod
            guard silence >= limit else {
                return [.startTimer(.silence, seconds: limit - silence)]
            }
            return disconnect("nothing was heard for \(Int(silence)) s", now)
        }
    }
}
