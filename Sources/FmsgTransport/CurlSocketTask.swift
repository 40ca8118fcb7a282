import CCurl
import FmsgCore
import WebSocketFrames

/// One WebSocket on its loop: libcurl makes the connection, through proxy and TLS, and moves the
/// bytes; what they mean is said here and in `WebSocketFrames`.
// Safe to share: the constants are Sendable; all mutable state is touched on the loop's thread
// alone, by jobs given to `perform` and by the loop itself.
final class CurlSocketTask: CurlTask, @unchecked Sendable {
    /// nil when the socket is open; else the host's refusal.
    typealias Opening = Result<TransportResponse?, TransportError>
    typealias Reception = Result<SocketInput, TransportError>

    private enum Phase {
        case connecting
        case upgrading
        case open
        /// A close frame is on its way; what comes before the peer's own is of no interest.
        case closing
        /// What every further ``receive(_:_:)`` gives.
        case ended(Reception)
    }

    /// Seconds to wait for the peer's close frame.
    private static let closeTimeout = 0.25
    /// Most bytes that wait for a peer that sends pings and does not read.
    private static let maximumOutgoingBytes = 64 << 10
    /// Most bytes of a refusal.
    private static let maximumRefusalBytes = 1 << 20

    private let endpoint: CurlEndpoint
    private let request: TransportRequest
    private let settings: TransportSettings
    private let loop: CurlLoop
    private let upgrade: UpgradeRequest

    private(set) var deadline: ContinuousClock.Instant?
    private var phase = Phase.connecting
    private var easy: CurlEasy?
    private var answer: UpgradeAnswer
    private var decoder: WebSocketDecoder
    private var outgoing: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    private var hasBegun = false
    private var isCancelled = false
    private var opener: CheckedContinuation<Opening, Never>?
    private var receiver: (call: Int, continuation: CheckedContinuation<Reception, Never>)?
    private var cancelledCall: Int?
    private var closers: [CheckedContinuation<Void, Never>] = []

    /// - Throws: ``TransportError/Kind/invalidURL``.
    init(
        _ request: TransportRequest, settings: TransportSettings, loop: CurlLoop
    ) throws(TransportError) {
        self.request = request
        self.settings = settings
        self.loop = loop
        endpoint = try CurlEndpoint(request.url)
        try request.checkHeaders()
        upgrade = UpgradeRequest(request, to: endpoint, userAgent: settings.userAgent)
        answer = UpgradeAnswer(
            maximumBodyBytes: min(request.maximumResponseBytes, Self.maximumRefusalBytes))
        decoder = WebSocketDecoder(
            role: .client, maximumMessageBytes: settings.maximumMessageBytes)
    }

    // MARK: Jobs

    func begin(_ continuation: CheckedContinuation<Opening, Never>) {
        opener = continuation
        guard !isCancelled else { return fail(.cancelled(mayHaveArrived: false)) }
        do throws(TransportError) {
            let easy = try CurlEasy()
            easy.configure(for: request.url, endpoint: endpoint, settings: settings)
            easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            easy.set(CURLOPT_CONNECT_ONLY, 1)
            // A proxy has to pass on what is not HTTP.
            easy.set(CURLOPT_HTTPPROXYTUNNEL, 1)
            try easy.check()
            self.easy = easy
            loop.add(easy, for: self)
        } catch {
            fail(error)
        }
    }

    func cancelOpening() {
        isCancelled = true
        if opener != nil { fail(.cancelled(mayHaveArrived: hasBegun)) }
    }

    func receive(_ call: Int, _ continuation: CheckedContinuation<Reception, Never>) {
        if case .ended(let reception) = phase { return continuation.resume(returning: reception) }
        guard call != cancelledCall else {
            return continuation.resume(returning: .failure(.cancelled(mayHaveArrived: true)))
        }
        receiver = (call, continuation)
        advance()
    }

    func cancelReceive(_ call: Int) {
        cancelledCall = call
        if receiver?.call == call { hand(.failure(.cancelled(mayHaveArrived: true))) }
    }

    func close(code: UInt16, _ continuation: CheckedContinuation<Void, Never>) {
        if case .ended = phase { return continuation.resume() }
        closers.append(continuation)
        hand(.failure(.cancelled(mayHaveArrived: true)))
        guard case .open = phase else { return }
        queue(.close(WebSocketCloseCode(rawValue: code)))
        phase = .closing
        deadline = ContinuousClock.now + .seconds(Self.closeTimeout)
        advance()
    }

    // MARK: The loop

    var awaitedSocket: curl_waitfd? {
        var events = outgoing.isEmpty ? 0 : Int32(CURL_WAIT_POLLOUT)
        switch phase {
        case .connecting, .ended: return nil
        case .open where receiver == nil: break
        case .open, .upgrading, .closing: events |= Int32(CURL_WAIT_POLLIN)
        }
        guard events != 0, let socket = easy?.socket else { return nil }
        return curl_waitfd(fd: socket, events: Int16(events), revents: 0)
    }

    func transferEnded(_ code: CURLcode) {
        guard case .connecting = phase, let easy else { return }
        guard code == CURLE_OK else {
            return fail(TransportError(code, of: easy, at: endpoint, mayHaveArrived: false))
        }
        phase = .upgrading
        outgoing = upgrade.bytes
        touch()
        advance()
    }

    func deadlinePassed() {
        if case .closing = phase { return end(.failure(.cancelled(mayHaveArrived: true))) }
        fail(
            .timedOut, "\(endpoint.name) was silent for \(settings.idleTimeout) seconds")
    }

    func socketIsReady() {
        advance()
    }

    func loopStopped() {
        fail(.cancelled(mayHaveArrived: hasBegun))
    }

    // MARK: Moving bytes

    /// Sends and reads as far as that goes without waiting. libcurl may hold bytes that no wait
    /// on the socket would tell of, so it is read until it has none, with a pause now and then
    /// for the loop's other work.
    private func advance() {
        flush()
        for _ in 0..<8 {
            switch phase {
            case .connecting, .ended:
                return
            case .upgrading:
                guard let piece = read() else { return }
                readAnswer(piece)
            case .open:
                guard receiver != nil else { return }
                if handOverDecoded() { continue }
                guard let piece = read() else { return }
                guard !piece.isEmpty else {
                    return fail(.broken, "\(endpoint.name) ended the connection")
                }
                decoder.append(piece)
            case .closing:
                guard let piece = read() else { return }
                decoder.append(piece)
                if piece.isEmpty || isCloseDecoded {
                    return end(.failure(.cancelled(mayHaveArrived: true)))
                }
            }
        }
        loop.perform { self.advance() }
    }

    /// Sends what the connection takes. That it broke is for ``read()`` to find, behind what the
    /// peer may have said before it left.
    private func flush() {
        guard let easy else { return }
        while !outgoing.isEmpty {
            var sent = 0
            let code = outgoing.withUnsafeBytes {
                fmsg_curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &sent)
            }
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK, sent > 0 else {
                outgoing = []
                return
            }
            hasBegun = true
            outgoing.removeFirst(min(sent, outgoing.count))
        }
    }

    /// What the connection has; empty at its end, nil when there is nothing now or it broke.
    private func read() -> ArraySlice<UInt8>? {
        guard let easy else { return nil }
        var count = 0
        let code = buffer.withUnsafeMutableBytes {
            fmsg_curl_easy_recv(easy.pointer, $0.baseAddress, $0.count, &count)
        }
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK else {
            fail(TransportError(code, of: easy, at: endpoint, mayHaveArrived: hasBegun))
            return nil
        }
        return buffer.prefix(count)
    }

    private func readAnswer(_ piece: ArraySlice<UInt8>) {
        do throws(UpgradeAnswer.Failure) {
            touch()
            switch try answer.read(piece) {
            case nil: break
            case .refused(let response):
                open(.success(response))
                end(.failure(.cancelled(mayHaveArrived: true)))
            case .switched(let response, let rest):
                guard upgrade.isAccepted(by: response) else {
                    return fail(.broken, "\(endpoint.name) opened another thing than a WebSocket")
                }
                decoder.append(rest)
                phase = .open
                deadline = nil
                open(.success(nil))
            }
        } catch {
            switch error {
            case .tooLarge: fail(.tooLarge, "the answer of \(endpoint.name) is too large")
            case .malformed: fail(.broken, "\(endpoint.name) did not answer in HTTP")
            case .truncated: fail(.broken, "\(endpoint.name) ended the connection within an answer")
            }
        }
    }

    /// Gives the receiver the next input that is decoded already. False when there is none.
    private func handOverDecoded() -> Bool {
        do throws(WebSocketError) {
            switch try decoder.next() {
            case nil: return false
            case .text(let bytes), .binary(let bytes): hand(.success(.message(bytes)))
            case .pong: hand(.success(.pong))
            case .ping(let payload):
                queue(WebSocketFrame(.pong, payload))
                hand(.success(.ping))
            case .close(let code, let reason):
                sendLast(.close(code))
                end(.success(.closed(code: code?.rawValue, reason: reason)))
            }
        } catch {
            sendLast(.close(error.closeCode))
            fail(.broken, "\(endpoint.name) broke the WebSocket protocol: \(error)")
        }
        return true
    }

    /// Whether the peer's close frame, or nonsense, is among what was decoded.
    private var isCloseDecoded: Bool {
        do throws(WebSocketError) {
            while let input = try decoder.next() {
                if case .close = input { return true }
            }
            return false
        } catch {
            return true
        }
    }

    private func queue(_ frame: WebSocketFrame) {
        outgoing += frame.encoded(mask: .random(in: .min ... .max))
        if outgoing.count > Self.maximumOutgoingBytes {
            fail(.broken, "\(endpoint.name) sends pings and reads no answer")
        }
    }

    /// Sends the last frame, if the connection takes it at once.
    private func sendLast(_ frame: WebSocketFrame) {
        queue(frame)
        flush()
    }

    private func touch() {
        deadline = ContinuousClock.now + settings.idleDuration
    }

    // MARK: Results

    private func open(_ opening: Opening) {
        opener?.resume(returning: opening)
        opener = nil
    }

    private func hand(_ reception: Reception) {
        receiver?.continuation.resume(returning: reception)
        receiver = nil
    }

    private func fail(_ kind: TransportError.Kind, _ message: String) {
        fail(TransportError(kind, message, mayHaveArrived: hasBegun))
    }

    private func fail(_ error: TransportError) {
        open(.failure(error))
        end(.failure(error))
    }

    /// Drops the connection. What came first stays the result.
    private func end(_ reception: Reception) {
        if case .ended = phase { return }
        phase = .ended(reception)
        deadline = nil
        if let easy { loop.remove(easy) }
        easy = nil
        hand(reception)
        for closer in closers { closer.resume() }
        closers = []
    }
}
