/// Performs what an ``EventSession`` says, and keeps what comes of it until it is asked for.
actor EventDriver {
    /// What waits to be handed out. Beyond the first few a message waits in few bytes.
    private enum Waiting {
        case event(FmsgEvent)
        case message(KeptMessage)
        case update(EventFrame.Update, KeptMessage)
    }

    /// The most that waits; what comes beyond it is forgotten and found again by a list.
    private static let capacity = 10_000
    /// How many that were handed out are kept until the room is used again.
    private static let slack = 1024
    /// How much waits as it is.
    private static let ready = 64

    private let client: FmsgClient
    private var session: EventSession
    private var isStarted = false
    private var sockets: [Int: any TransportSocket] = [:]
    private var timers: [EventSession.Timer: Task<Void, Never>] = [:]
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var list: Task<Void, Never>?
    private var waiting: [Waiting] = []
    /// Where the first of those that still wait stands.
    private var head = 0
    private var hasOverflowed = false
    private var failure: FmsgError?
    private var reader: CheckedContinuation<Void, Never>?
    private var isStopped = false

    init(client: FmsgClient, options: EventOptions) {
        self.client = client
        session = EventSession(options: options)
    }

    // MARK: Handing out

    func next() async throws(FmsgError) -> FmsgEvent {
        if !isStarted {
            isStarted = true
            handle(.start)
        }
        while true {
            if Task.isCancelled {
                await stop()
                throw .cancelled
            }
            if let event = take() { return event }
            if let failure {
                await stop()
                throw failure
            }
            await wait()
        }
    }

    private func take() -> FmsgEvent? {
        while head < waiting.count {
            let first = waiting[head]
            head += 1
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: head <= Self.ready)
                head = 0
                if hasOverflowed {
                    hasOverflowed = false
                    Task { self.handle(.overflowed) }
                }
            }
            if head > Self.slack {
                waiting.removeFirst(head)
                head = 0
            }
            switch first {
            case .event(let event): return event
            case .message(let kept):
                if let message = kept.message { return .newMessage(message) }
            case .update(let update, let kept):
                if let message = kept.message { return .updated(update, message) }
            }
        }
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || head < waiting.count || failure != nil {
                    continuation.resume()
                } else {
                    reader = continuation
                }
            }
        } onCancel: {
            Task { await self.wake() }
        }
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }

    private func put(_ event: FmsgEvent) {
        let count = waiting.count - head
        switch event {
        case .newMessage(let message) where count >= Self.capacity:
            session.forget(message.id)
            hasOverflowed = true
        case .updated where count >= Self.capacity: break
        case .newMessage(let message) where count >= Self.ready:
            if let kept = KeptMessage(message) { waiting.append(.message(kept)) }
        case .updated(let update, let message) where count >= Self.ready:
            if let kept = KeptMessage(message) { waiting.append(.update(update, kept)) }
        default: waiting.append(.event(event))
        }
        wake()
    }

    // MARK: Performing

    /// Everything that happens goes through here, one after the other.
    private func handle(_ input: EventSession.Input) {
        guard !isStopped else { return }
        for action in session.handle(input, at: client.clock.uptime()) {
            switch action {
            case .openSocket(let number): open(number)
            case .closeSocket(let number): close(number)
            case .readPage(let listing, let offset, let limit): readPage(listing, offset, limit)
            case .startTimer(let timer, let seconds): start(timer, seconds)
            case .emit(let event): put(event)
            case .deliver(let messages):
                waiting += messages.map(Waiting.message)
                wake()
            case .end(let error):
                failure = error
                wake()
            }
        }
    }

    private func open(_ number: Int) {
        tasks[number] = Task {
            let socket: any TransportSocket
            let me: String
            do throws(FmsgError) {
                socket = try await client.openSocket()
                me = try await client.whoami().address
            } catch {
                return handle(.socketFailed(number, error))
            }
            guard keep(socket, number) else { return await socket.close(code: 1001) }
            let seconds = await client.tokens.secondsToReplacement()
            handle(.socketOpened(number, me: me, secondsToReplacement: seconds))
            handle(.socketEnded(number, reason: await read(socket, number)))
        }
    }

    /// False when the stream was stopped meanwhile.
    private func keep(_ socket: any TransportSocket, _ number: Int) -> Bool {
        guard !isStopped else { return false }
        sockets[number] = socket
        return true
    }

    /// Hands in what a socket brings, and says why it ended.
    private func read(_ socket: any TransportSocket, _ number: Int) async -> String {
        while true {
            do throws(FmsgError) {
                switch try await FmsgClient.received(from: socket) {
                case .message(let bytes): handle(.frame(number, bytes))
                case .ping, .pong: handle(.heartbeat(number))
                case .closed(let code, let reason):
                    let words = SafeText.line(reason, limit: 80)
                    let number = code.map { " (\($0))" } ?? ""
                    return "the host closed the connection\(number)"
                        + (words.isEmpty ? "" : ": \(words)")
                }
            } catch {
                return error.message
            }
        }
    }

    private func close(_ number: Int) {
        tasks.removeValue(forKey: number)?.cancel()
        guard let socket = sockets.removeValue(forKey: number) else { return }
        Task { await socket.close(code: 1000) }
    }

    private func readPage(_ listing: Int, _ offset: Int, _ limit: Int) {
        list?.cancel()
        list = Task {
            do throws(FmsgError) {
                let page = try await client.inbox(limit: limit, offset: offset)
                handle(.page(listing: listing, page))
            } catch {
                handle(.pageFailed(listing: listing, error))
            }
        }
    }

    private func start(_ timer: EventSession.Timer, _ seconds: Double) {
        timers[timer]?.cancel()
        timers[timer] = Task { [sleep = client.clock.sleep] in
            guard (try? await sleep(seconds)) != nil else { return }
            handle(.timer(timer))
        }
    }

    /// Ends everything: sockets with 1001, going away.
    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        list?.cancel()
        for timer in timers.values { timer.cancel() }
        wake()
        for socket in sockets.values { await socket.close(code: 1001) }
        for task in tasks.values { task.cancel() }
        timers = [:]
        sockets = [:]
        tasks = [:]
    }
}
