/// Brings a download to its end though the connection breaks: what is missing is asked for again
/// by range (RFC 9110, section 14), as long as something comes. A pure state machine.
public struct DownloadResumption: Sendable {
    public enum Action: Sendable, Equatable {
        /// Ask for everything from this byte on.
        case request(from: Int64)
        /// Seconds to let pass, and then ``next(after:received:)`` with ``Input/waited``.
        case wait(Double)
        case finished
        case failed(FmsgError)
    }

    public enum Input: Sendable, Equatable {
        case ended
        case failed(FmsgError)
        case waited
    }

    /// How often in a row a request may bring nothing.
    static let maximumBarrenRequests = 5

    private let size: Int64
    private let route: Route
    private var barrenRequests = 0
    private var receivedBefore: Int64 = 0

    /// - Parameter size: bytes that the whole has.
    public init(_ route: Route, size: Int64) {
        self.route = route
        self.size = size
    }

    /// - Parameter received: bytes that are there from an earlier try.
    public mutating func start(received: Int64) -> Action {
        receivedBefore = received
        // Nothing is missing, and of nothing no range can be asked for.
        return received == size && size > 0 ? .finished : .request(from: received)
    }

    /// What to do after `input`, with `received` bytes there by now.
    public mutating func next(after input: Input, received: Int64) -> Action {
        switch input {
        case .waited: return .request(from: received)
        case .ended:
            guard received == size else {
                return .failed(
                    .malformedAnswer(route, reason: "\(received) bytes came instead of \(size)"))
            }
            return .finished
        case .failed(let error):
            guard error.isRetryable else { return .failed(error) }
            barrenRequests = received > receivedBefore ? 1 : barrenRequests + 1
            receivedBefore = received
            guard barrenRequests <= Self.maximumBarrenRequests else { return .failed(error) }
            return .wait(pause(after: error))
        }
    }

    /// Longer each time, and when the host asks for it, within reason.
    private func pause(after error: FmsgError) -> Double {
        let usual = min(0.2 * Double(1 << (barrenRequests - 1)), 5)
        guard case .refused(let refusal) = error, let asked = refusal.retryAfter else {
            return usual
        }
        return max(usual, min(asked, 30))
    }
}
