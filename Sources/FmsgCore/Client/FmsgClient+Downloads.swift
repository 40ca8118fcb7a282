/// Where a download goes.
public protocol DownloadTarget: Sendable {
    /// How many bytes it has taken, those of earlier tries too.
    var received: Int64 { get }

    /// The next piece begins at that byte, which is at most ``received``.
    func begin(at offset: Int64) throws

    func take(_ piece: [UInt8]) throws
}

extension FmsgClient {
    /// Downloads an attachment; what `target` has already is not asked for again, and a broken
    /// connection is made good.
    /// - Throws: ``FmsgError``; also when more or fewer bytes come than were announced.
    public func download(
        _ attachment: Attachment, of id: Int64, to target: some DownloadTarget
    ) async throws(FmsgError) {
        try await download(
            .attachment, [String(id), attachment.filename], size: attachment.size, to: target)
    }

    /// Downloads a body, in the same way.
    public func downloadBody(
        of message: FmsgMessage, to target: some DownloadTarget
    ) async throws(FmsgError) {
        try await download(.data, [String(message.id)], size: message.size, to: target)
    }

    private func download(
        _ route: Route, _ parameters: [String], size: Int64, to target: some DownloadTarget
    ) async throws(FmsgError) {
        var resumption = DownloadResumption(route, size: size)
        var action = resumption.start(received: target.received)
        while true {
            var input = DownloadResumption.Input.ended
            do throws(FmsgError) {
                switch action {
                case .request(let offset):
                    try await fetch(route, parameters, from: offset, size: size, to: target)
                case .wait(let seconds):
                    try await pause(seconds)
                    input = .waited
                case .finished: return
                case .failed(let error): throw error
                }
            } catch {
                if case .failed = action { throw error }
                input = .failed(error)
            }
            action = resumption.next(after: input, received: target.received)
        }
    }

    /// One request for everything from `offset` on.
    private func fetch(
        _ route: Route, _ parameters: [String], from offset: Int64, size: Int64,
        to target: some DownloadTarget
    ) async throws(FmsgError) {
        var request = TransportRequest(
            method: route.method, url: host.url(of: route, parameters, query: []),
            maximumResponseBytes: ResponseLimit.object)
        if offset > 0 { request.headers.append(Header("Range", "bytes=\(offset)-")) }
        let sink = ResponseSink(
            begin: { head in
                // A host that knows no ranges sends everything again.
                let start = head.status == 206 ? try ContentRange(head).first : 0
                guard start <= target.received else {
                    throw ShapeError("Content-Range", "the bytes that were asked for")
                }
                try target.begin(at: start)
            },
            take: { piece in
                guard Int64(piece.count) <= size - target.received else {
                    throw ShapeError(reason: "more than \(size) bytes came")
                }
                try target.take(piece)
            })
        let response = try await authorized(request) {
            [transport] (request) throws(TransportError) in
            try await transport.send(request, to: sink)
        }
        _ = try Self.success(response, route)
    }
}

/// The `Content-Range` of a partial answer (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The number of the first byte.
    let first: Int64

    /// - Throws: ``ShapeError`` when there is none, or it is not of bytes.
    init(_ head: TransportResponse) throws(ShapeError) {
        let value = head.header("Content-Range") ?? ""
        let digits = value.dropFirst("bytes ".count).prefix { $0 != "-" }
        guard value.lowercased().hasPrefix("bytes "), let first = Int64(digits), first >= 0 else {
            throw ShapeError("Content-Range", "a range of bytes")
        }
        self.first = first
    }
}
