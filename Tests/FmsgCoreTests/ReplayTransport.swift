import FmsgCore
import Synchronization
import TestSupport

/// Answers every request with one recorded answer of a real host.
struct ReplayTransport: Transport {
    let response: TransportResponse

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        response
    }

    func send(
        _ request: TransportRequest, to sink: ResponseSink
    ) async throws(TransportError) -> TransportResponse {
        do {
            try sink.begin(response)
            try sink.take(response.body)
        } catch {
            throw TransportError(.sink, "\(error)", mayHaveArrived: true)
        }
        return response
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> SocketOpening {
        .refused(response)
    }
}

extension FmsgClient {
    /// A client that gets `capture` as the answer to whatever it asks.
    static func replaying(_ capture: Capture) -> FmsgClient {
        let headers = [Header("Content-Type", capture.contentType)]
        return FmsgClient(
            host: HostURL.example, credential: .token(TestToken.jwt(#"{"sub":"@a@b"}"#)),
            transport: ReplayTransport(
                response: TransportResponse(
                    status: capture.status, headers: headers, body: capture.body)),
            clock: .still)
    }
}

extension HostURL {
    static var example: HostURL {
        guard let url = try? HostURL("https://host.example") else {
            preconditionFailure("the example is a URL")
        }
        return url
    }
}

extension FmsgClock {
    /// A clock that stands, on which waiting takes no time.
    static let still = FmsgClock(now: { 1_796_000_000 }, uptime: { 0 }, sleep: { _ in })
}

/// A download that is kept in memory.
final class Received: DownloadTarget {
    private let state: Mutex<[UInt8]>

    init(_ bytes: [UInt8] = []) { state = Mutex(bytes) }

    var bytes: [UInt8] { state.withLock { $0 } }
    var received: Int64 { Int64(bytes.count) }

    func begin(at offset: Int64) { state.withLock { $0.removeLast($0.count - Int(offset)) } }

    func take(_ piece: [UInt8]) { state.withLock { $0 += piece } }
}
