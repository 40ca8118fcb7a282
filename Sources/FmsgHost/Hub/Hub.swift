import Synchronization
import WebSocketFrames

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The event sockets of a host (web API, section 7): hands frames to them, pings them, and drops
/// those that are silent or read too slowly.
///
/// Frames are written by whoever sends them as far as a socket takes them; one thread does the
/// rest.
final class Hub: Sendable {
    private struct State {
        var connections: [UInt64: EventConnection] = [:]
        var lastId: UInt64 = 0
        var isStopping = false
    }

    private let state = Mutex(State())
    private let pingPeriod: Double
    private let silenceLimit: Double
    private let bell: Bell
    private let thread = Mutex<pthread_t?>(nil)

    /// - Throws: ``HostError`` when the system has no descriptor left.
    init(pingPeriod: Double, silenceLimit: Double) throws(HostError) {
        self.pingPeriod = pingPeriod
        self.silenceLimit = silenceLimit
        guard let bell = Bell() else {
            throw HostError(.listen, "no descriptor is left: \(Files.lastError)")
        }
        self.bell = bell
    }

    /// Starts the thread.
    func start() throws(HostError) {
        var started = pthread_t()
        let code = pthread_create(
            &started, nil,
            { hub in
                guard let hub else { return nil }
                Unmanaged<Hub>.fromOpaque(hub).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard code == 0 else {
            Unmanaged.passUnretained(self).release()
            throw HostError(.listen, "no thread can be started")
        }
        thread.withLock { $0 = started }
    }

    /// Closes every socket with 1001 and ends the thread.
    func stop() {
        change { state in
            state.isStopping = true
            for (id, connection) in state.connections where connection.socket != nil {
                state.connections[id]?.close(.goingAway)
            }
        }
        bell.ring()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let running { pthread_join(running, nil) }
    }

    var count: Int { state.withLock { $0.connections.count } }

    func hasConnection(_ receiver: AddressKey) -> Bool {
        state.withLock { $0.connections.values.contains { $0.receiver == receiver } }
    }

    /// Sends a text frame to every socket of `receiver`.
    func send(_ text: [UInt8], to receiver: AddressKey) {
        let isUnwritten = change { state in
            for (id, connection) in state.connections where connection.receiver == receiver {
                state.connections[id]?.send(WebSocketFrame(.text, text))
            }
            return state.connections.values.contains { $0.hasOutput }
        }
        if isUnwritten { bell.ring() }
    }

    /// Keeps a place for a socket that is about to be there: frames are queued from now on.
    func reservePlace(for receiver: AddressKey) -> Place {
        state.withLock { state in
            state.lastId += 1
            state.connections[state.lastId] = EventConnection(
                receiver: receiver, now: SystemClock.monotonic(), pingPeriod: pingPeriod)
            return Place(hub: self, id: state.lastId)
        }
    }

    /// A place kept for a socket; given up when none takes it.
    final class Place: Sendable {
        private let hub: Hub
        private let id: UInt64

        fileprivate init(hub: Hub, id: UInt64) {
            self.hub = hub
            self.id = id
        }

        deinit { hub.giveUp(id) }

        func take(_ socket: UpgradedConnection) { hub.open(id, socket) }
    }

    private func open(_ id: UInt64, _ socket: UpgradedConnection) {
        let hasPlace = change { state in
            guard var connection = state.connections[id] else { return false }
            connection.open(socket, now: SystemClock.monotonic())
            if state.isStopping { connection.close(.goingAway) }
            state.connections[id] = connection
            return true
        }
        if hasPlace { bell.ring() } else { socket.end() }
    }

    private func giveUp(_ id: UInt64) {
        state.withLock { state in
            if state.connections[id]?.socket == nil { state.connections[id] = nil }
        }
    }

    private func run() {
        while true {
            let (watched, wait) = state.withLock { (self.watched($0), self.wait($0)) }
            guard let wait else { return }
            var descriptors = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
            descriptors += watched.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            poll(&descriptors, nfds_t(descriptors.count), wait)
            bell.silence()
            let ready = zip(watched, descriptors.dropFirst()).filter { $1.revents != 0 }.map(\.0.id)
            change { attend(to: ready, &$0) }
        }
    }

    private func watched(_ state: State) -> [(id: UInt64, descriptor: Int32, events: Int16)] {
        state.connections.compactMap { id, connection in
            connection.socket.map { socket in
                (id, socket.descriptor, Int16(connection.hasOutput ? POLLIN | POLLOUT : POLLIN))
            }
        }
    }

    /// Milliseconds until something is due; nil when the thread is to end.
    private func wait(_ state: State) -> Int32? {
        guard !state.isStopping else { return nil }
        let due = state.connections.values.filter { $0.socket != nil }
            .map { min($0.nextPing, $0.lastHeard + silenceLimit) }.min()
        guard let due else { return -1 }
        let seconds = min(max(0, due - SystemClock.monotonic()), 3600)
        return Int32((seconds * 1000).rounded(.up))
    }

    private func attend(to ready: [UInt64], _ state: inout State) {
        let now = SystemClock.monotonic()
        for id in ready {
            state.connections[id]?.read(now: now)
            state.connections[id]?.flush()
        }
        for (id, connection) in state.connections where connection.socket != nil {
            if now >= connection.lastHeard + silenceLimit {
                state.connections[id]?.drop()
            } else if now >= connection.nextPing {
                state.connections[id]?.ping(now: now, period: pingPeriod)
            }
        }
    }

    /// Changes the state, and then ends the sockets that are over: not before the lock is free,
    /// since libmicrohttpd may be waiting for it in ``giveUp(_:)`` while it holds a lock of its own.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, over) = state.withLock { state in
            let result = body(&state)
            let over = state.connections.filter { $1.isOver }
            for id in over.keys { state.connections[id] = nil }
            return (result, over.values.compactMap(\.socket))
        }
        for socket in over { socket.end() }
        return result
    }
}

/// Wakes a thread that polls.
private final class Bell: Sendable {
    let descriptor: Int32
    private let ringing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (descriptor, ringing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(ringing)
    }

    /// A full pipe rings as well.
    func ring() { _ = write(ringing, [1], 1) }

    func silence() {
        var rings = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &rings, rings.count) > 0 {}
    }
}
