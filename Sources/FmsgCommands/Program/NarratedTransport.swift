import FmsgCore
import Synchronization

/// Tells each request on stderr for `--verbose`: method, path, status, bytes and time. Headers
/// and bodies are never told, since they hold secrets and messages.
struct NarratedTransport: Transport {
    let transport: any Transport
    /// Seconds of a clock that never goes back.
    let uptime: @Sendable () -> Double
    let say: @Sendable (String) -> Void

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await narrate(request) { () throws(TransportError) in
            try await transport.send(request)
        }
    }

    func send(
        _ request: TransportRequest, to sink: ResponseSink
    ) async throws(TransportError) -> TransportResponse {
        let taken = Atomic<Int>(0)
        let counting = ResponseSink(
            begin: sink.begin,
            take: { piece in
                taken.add(piece.count, ordering: .relaxed)
                try sink.take(piece)
            })
        return try await narrate(
            request,
            { () throws(TransportError) in try await transport.send(request, to: counting) },
            streamed: { taken.load(ordering: .relaxed) })
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> SocketOpening {
        let opening = try await transport.openSocket(request)
        switch opening {
        case .open: say("\(request.method) \(request.url): the socket is open")
        case .refused(let response): say("\(request.method) \(request.url): \(response.status)")
        }
        return opening
    }

    private func narrate(
        _ request: TransportRequest,
        _ send: () async throws(TransportError) -> TransportResponse,
        streamed: () -> Int = { 0 }
    ) async throws(TransportError) -> TransportResponse {
        let start = uptime()
        do {
            let response = try await send()
            let milliseconds = Int(((uptime() - start) * 1000).rounded())
            say(
                "\(request.method) \(request.url): \(response.status), "
                    + "\(response.body.count + streamed()) bytes, \(milliseconds) ms")
            return response
        } catch {
            say("\(request.method) \(request.url): \(error.message)")
            throw error
        }
    }
}
