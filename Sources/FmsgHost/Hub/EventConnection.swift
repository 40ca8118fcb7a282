import WebSocketFrames

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One event socket: what it still has to write, and how long it has been silent.
struct EventConnection {
    /// Frames that may wait for a reader before it counts as too slow.
    static let maximumQueuedFrames = 16
    /// As many while the upgrade is on its way and nothing can be written.
    private static let maximumEarlyFrames = 1024
    private static let maximumMessageBytes = 64 << 10

    let receiver: AddressKey
    private(set) var socket: UpgradedConnection?
    /// When the next ping is due, in monotonic seconds.
    private(set) var nextPing: Double
    private(set) var lastHeard: Double
    /// Whether it is to be dropped.
    private(set) var isOver = false
    private var decoder = WebSocketDecoder(
        role: .server, maximumMessageBytes: Self.maximumMessageBytes)
    private var queue: [[UInt8]] = []
    /// Bytes of the first queued frame that are written.
    private var written = 0

    init(receiver: AddressKey, now: Double, pingPeriod: Double) {
        self.receiver = receiver
        lastHeard = now
        nextPing = now + pingPeriod
    }

    var hasOutput: Bool { !queue.isEmpty }

    /// Begins to use the socket.
    mutating func open(_ socket: UpgradedConnection, now: Double) {
        self.socket = socket
        lastHeard = now
        take(socket.received)
        flush()
    }

    /// Queues a frame and writes what the socket takes. A reader that leaves too many unread is
    /// dropped.
    mutating func send(_ frame: WebSocketFrame) {
        guard !isOver else { return }
        queue.append(frame.encoded(mask: nil))
        flush()
        let limit = socket == nil ? Self.maximumEarlyFrames : Self.maximumQueuedFrames
        if queue.count > limit { isOver = true }
    }

    mutating func ping(now: Double, period: Double) {
        nextPing = now + period
        send(WebSocketFrame(.ping))
    }

    /// Says good-bye as far as the socket takes it, and is over.
    mutating func close(_ code: WebSocketCloseCode?) {
        send(.close(code))
        isOver = true
    }

    /// Is over without a word.
    mutating func drop() { isOver = true }

    /// Reads what has come in, which is heard but not listened to.
    mutating func read(now: Double) {
        guard let socket else { return }
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while !isOver {
            let count = recv(socket.descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                lastHeard = now
                take(chunk[..<count])
            } else if count == 0 {
                isOver = true
            } else if errno != EINTR {
                if errno != EAGAIN { isOver = true }
                return
            }
        }
    }

    /// Writes what the socket takes.
    mutating func flush() {
        guard let socket else { return }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        while !isOver, let frame = queue.first {
            let count = frame.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return Glibc.send(socket.descriptor, rest.baseAddress, rest.count, flags)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { isOver = true }
                return
            }
            written += count
            guard written == frame.count else { continue }
            queue.removeFirst()
            written = 0
        }
    }

    private mutating func take(_ bytes: some Sequence<UInt8>) {
        decoder.append(bytes)
        do {
            while let input = try decoder.next() {
                switch input {
                case .ping(let payload): send(WebSocketFrame(.pong, payload))
                case .close(let code, _): close(code)
                case .pong, .text, .binary: break
                }
            }
        } catch {
            close(error.closeCode)
        }
    }
}
