/// Pauses between the tries of something that fails: each twice the one before, up to the longest,
/// spread by a fifth so that not all clients of a host come back at once.
public struct Backoff: Sendable {
    /// The first and the longest pause, in seconds.
    public var delays: ClosedRange<Double>
    /// A number from 0 to 1 that no two clients share.
    public var jitter: @Sendable () -> Double

    /// The longest pause that a host can ask for, in seconds.
    private static let longestAsked = 3600.0

    public init(
        _ delays: ClosedRange<Double> = 1...60,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.delays = delays
        self.jitter = jitter
    }

    /// Seconds until the next try.
    /// - Parameters:
    ///   - failures: how many there were in a row before this one.
    ///   - error: the last one; where it says when to come back, the pause is no shorter.
    public func pause(after failures: Int, _ error: FmsgError? = nil) -> Double {
        let doublings = Double(1 << min(max(0, failures), 16))
        let delay = min(delays.lowerBound * doublings, delays.upperBound)
        let spread = delay * (0.8 + 0.4 * jitter())
        guard case .refused(let refusal)? = error, let asked = refusal.retryAfter else {
            return spread
        }
        return max(spread, min(asked, Self.longestAsked))
    }
}
