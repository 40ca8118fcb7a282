import CCurl
import FmsgCore

/// One HTTP request on its way through a ``CurlLoop``.
// Safe to share: the constants are Sendable; all mutable state is touched on the loop's thread
// alone, by jobs given to `perform`, by the loop itself and by libcurl's callbacks.
final class CurlTransfer: CurlTask, @unchecked Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    /// Most bytes of an answer's head.
    private static let maximumHeaderBytes = 256 << 10
    /// Bytes a second of the slowest disk that a host is granted.
    private static let slowestDisk = 10e6

    let request: TransportRequest
    let endpoint: CurlEndpoint
    private let settings: TransportSettings
    private let sink: ResponseSink?
    private let loop: CurlLoop

    private(set) var deadline: ContinuousClock.Instant?
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var easy: CurlEasy?
    private var isCancelled = false
    /// Whether the request has begun to be sent: the host may see it from then on.
    private var hasBegun = false
    /// Why a callback broke the transfer off, which libcurl cannot know.
    private var failure: TransportError?
    private var headers: [Header] = []
    private var headerBytes = 0
    /// Whether the empty line after the headers came. libcurl takes a cut head for a whole one.
    private var isHeadWhole = false
    /// Whether the sink knows the head.
    private var hasBegunSink = false
    private var body: [UInt8] = []
    private var suppliedBytes: Int64 = 0
    private var movedBytes: curl_off_t = 0

    /// - Throws: ``TransportError/Kind/invalidURL``.
    init(
        _ request: TransportRequest, sink: ResponseSink?, settings: TransportSettings,
        loop: CurlLoop
    ) throws(TransportError) {
        self.request = request
        self.sink = sink
        self.settings = settings
        self.loop = loop
        endpoint = try CurlEndpoint(request.url)
        try request.checkHeaders()
    }

    // MARK: Life

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        self.continuation = continuation
        guard !isCancelled else { return complete(.failure(.cancelled(mayHaveArrived: false))) }
        do throws(TransportError) {
            let easy = try CurlEasy()
            configure(easy)
            try easy.check()
            self.easy = easy
            loop.add(easy, for: self)
        } catch {
            complete(.failure(error))
        }
    }

    func cancel() {
        isCancelled = true
        complete(.failure(.cancelled(mayHaveArrived: hasBegun)))
    }

    func transferEnded(_ code: CURLcode) {
        guard let easy else { return }
        if code == CURLE_OK && !isHeadWhole {
            _ = fail(.broken, "the connection to \(endpoint.name) ended within an answer's head")
        }
        if let failure {
            complete(.failure(failure))
        } else if code == CURLE_OK {
            complete(
                .success(TransportResponse(status: easy.status, headers: headers, body: body)))
        } else {
            complete(
                .failure(TransportError(code, of: easy, at: endpoint, mayHaveArrived: hasBegun)))
        }
    }

    func deadlinePassed() {
        complete(
            .failure(
                TransportError(
                    .timedOut, "\(endpoint.name) was silent for \(settings.idleTimeout) seconds",
                    mayHaveArrived: hasBegun)))
    }

    func loopStopped() {
        cancel()
    }

    var awaitedSocket: curl_waitfd? { nil }

    func socketIsReady() {}

    private func complete(_ outcome: Outcome) {
        if let easy { loop.remove(easy) }
        easy = nil
        deadline = nil
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    // MARK: Callbacks

    /// A connection stands and the request is about to be sent. False breaks the transfer off.
    ///
    /// libcurl sends a request again when a kept connection ends before the first byte of an
    /// answer. The host may have acted on the first one by then, so only what is safe to repeat
    /// goes out twice (RFC 9110, section 9.2.2).
    func requestBegins() -> Bool {
        guard !hasBegun || request.method == "GET" || request.method == "HEAD" else {
            return fail(.broken, "the connection to \(endpoint.name) ended without an answer")
        }
        hasBegun = true
        touch()
        return true
    }

    /// Bytes moved since the beginning, in both directions.
    func progressed(to bytes: curl_off_t) {
        guard bytes != movedBytes, hasBegun else { return }
        movedBytes = bytes
        touch()
    }

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        touch()
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            return fail(.tooLarge, "the answer of \(endpoint.name) has too large a head")
        }
        if line.starts(with: "HTTP/".utf8) {
            headers = []
            isHeadWhole = false
        } else if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
            isHeadWhole = true
            return beginSink()
        } else if let header = Header(line: line) {
            headers.append(header)
        }
        return true
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let sink, hasBegunSink {
            do {
                try sink.take(Array(bytes))
            } catch {
                return fail(sinkError: error)
            }
        } else {
            if body.isEmpty { expectBody() }
            guard failure == nil, bytes.count <= request.maximumResponseBytes - body.count else {
                return fail(
                    .tooLarge,
                    "the answer of \(endpoint.name) is over \(request.maximumResponseBytes) bytes")
            }
            body.append(contentsOf: bytes)
        }
        touch()
        return true
    }

    /// Hands a head of success to the sink: the one of the answer, not of what may come before it
    /// (1xx) or after (trailers).
    private func beginSink() -> Bool {
        guard let sink, !hasBegunSink, let status = easy?.status, (200..<300).contains(status)
        else { return true }
        hasBegunSink = true
        do {
            try sink.begin(TransportResponse(status: status, headers: headers))
            return true
        } catch {
            return fail(sinkError: error)
        }
    }

    /// Fills `buffer` with the next bytes of the request's body; 0 at the end, nil to break off.
    func supplyBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard case .stream(let length, let next) = request.body else { return 0 }
        var wanted = buffer.count
        if let length { wanted = Int(min(Int64(wanted), length - suppliedBytes)) }
        guard wanted > 0 else { return 0 }
        do {
            let bytes = try next(wanted)
            guard bytes.count <= wanted, !bytes.isEmpty || length == nil else {
                _ = fail(.source, "the body is not as long as was announced")
                return nil
            }
            buffer.copyBytes(from: bytes)
            suppliedBytes += Int64(bytes.count)
            touch()
            return bytes.count
        } catch {
            _ = fail(.source, "the body could not be read: \(error)")
            return nil
        }
    }

    private func expectBody() {
        guard let length = easy?.announcedLength else { return }
        if length > Int64(request.maximumResponseBytes) {
            _ = fail(
                .tooLarge,
                "the answer of \(endpoint.name) is over \(request.maximumResponseBytes) bytes")
        } else {
            body.reserveCapacity(Int(min(length, 1 << 20)))
        }
    }

    private func touch() {
        // A host is silent for as long as it takes to put a large body on its disk.
        let storing = Duration.seconds(Double(suppliedBytes) / Self.slowestDisk)
        deadline = ContinuousClock.now + settings.idleDuration + storing
    }

    /// Notes why the transfer is broken off; always false, for a callback to return.
    private func fail(_ kind: TransportError.Kind, _ message: String) -> Bool {
        failure = failure ?? TransportError(kind, message, mayHaveArrived: hasBegun)
        return false
    }

    private func fail(sinkError error: any Error) -> Bool {
        fail(
            error is ShapeError ? .malformed : .sink,
            "what \(endpoint.name) sent could not be taken: \(error)")
    }

    // MARK: Options

    private func configure(_ easy: CurlEasy) {
        easy.configure(for: request.url, endpoint: endpoint, settings: settings)
        easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        easy.set(CURLOPT_BUFFERSIZE, 128 << 10)
        setMethodAndBody(easy)
        easy.set(headerLines: request.headerLines)

        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.set(CURLOPT_HEADERDATA, context)
        easy.set(
            CURLOPT_HEADERFUNCTION,
            { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlTransfer.at(context)?.receiveHeader(line) == true ? line.count : 0
            } as curl_write_callback)
        easy.set(CURLOPT_WRITEDATA, context)
        easy.set(
            CURLOPT_WRITEFUNCTION,
            { bytes, size, count, context in
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlTransfer.at(context)?.receiveBody(piece) == true ? piece.count : 0
            } as curl_write_callback)
        easy.set(CURLOPT_PREREQDATA, context)
        easy.set(
            CURLOPT_PREREQFUNCTION,
            { context, _, _, _, _ in
                CurlTransfer.at(context)?.requestBegins() == true
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            } as curl_prereq_callback)
        easy.set(CURLOPT_NOPROGRESS, 0)
        easy.set(CURLOPT_XFERINFODATA, context)
        easy.set(
            CURLOPT_XFERINFOFUNCTION,
            { context, _, received, _, sent in
                CurlTransfer.at(context)?.progressed(to: received &+ sent)
                return 0
            } as curl_xferinfo_callback)
    }

    private func setMethodAndBody(_ easy: CurlEasy) {
        switch request.body {
        case .none where request.method == "HEAD":
            easy.set(CURLOPT_NOBODY, 1)
        case .none where request.method == "GET" || request.method == "DELETE":
            easy.set(CURLOPT_HTTPGET, 1)
        case .none:
            easy.set(body: [])
        case .bytes(let bytes):
            easy.set(body: bytes)
        case .stream(let length, _):
            easy.set(CURLOPT_UPLOAD, 1)
            easy.set(CURLOPT_INFILESIZE_LARGE, size: length ?? -1)
            easy.set(CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
            easy.set(
                CURLOPT_READFUNCTION,
                { bytes, size, count, context in
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                    return CurlTransfer.at(context)?.supplyBody(buffer) ?? Int(CURL_READFUNC_ABORT)
                } as curl_write_callback)
        }
        easy.set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    /// The transfer that a callback was set up with. The loop holds it as long as libcurl calls.
    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
