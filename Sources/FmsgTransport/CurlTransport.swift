import FmsgCore
import Synchronization

/// ``Transport`` over libcurl.
///
/// libcurl is loaded at the first request. One thread drives all requests; connections are kept
/// and shared among them; at most ``maximumRunning`` requests run at a time. Nothing is taken from the
/// environment. Bodies are read from their source and handed to their sink on that thread, so
/// one that blocks holds up the other requests of this transport.
public final class CurlTransport: Transport {
    /// Most requests under way at a time; further ones wait their turn.
    public static let maximumRunning = 8

    private let settings: TransportSettings
    private let thread = Mutex<CurlThread?>(nil)

    public init(settings: TransportSettings) {
        self.settings = settings
    }

    public func send(
        _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        try await transfer(request, sink: nil)
    }

    public func send(
        _ request: TransportRequest, to sink: ResponseSink
    ) async throws(TransportError) -> TransportResponse {
        try await transfer(request, sink: sink)
    }

    public func openSocket(
        _ request: TransportRequest
    ) async throws(TransportError) -> SocketOpening {
        // A WebSocket has a loop of its own: libcurl closes connections of a shared one that it
        // takes for idle.
        let thread = try CurlThread(maximumRunning: 1)
        let loop = thread.loop
        let connection = try CurlSocketTask(request, settings: settings, loop: loop)
        let refusal = try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.perform { connection.begin(continuation) }
            }
        } onCancel: {
            loop.perform { connection.cancelOpening() }
        }.get()
        if let refusal { return .refused(refusal) }
        return .open(CurlSocket(connection, thread: thread))
    }

    private func transfer(
        _ request: TransportRequest, sink: ResponseSink?
    ) async throws(TransportError) -> TransportResponse {
        let loop = try sharedLoop()
        let transfer = try CurlTransfer(request, sink: sink, settings: settings, loop: loop)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.perform { transfer.begin(continuation) }
            }
        } onCancel: {
            loop.perform { transfer.cancel() }
        }.get()
    }

    private func sharedLoop() throws(TransportError) -> CurlLoop {
        try thread.withLock { thread throws(TransportError) in
            if let thread { return thread.loop }
            let started = try CurlThread(maximumRunning: Self.maximumRunning)
            thread = started
            return started.loop
        }
    }
}
