/// Waits until a sent message has reached every recipient or failed: by the event `delivered`,
/// and by a look from time to time, since no event tells of a failure (web API, section 7). A
/// pure state machine.
public struct DeliveryWait: Sendable {
    public enum Action: Sendable, Equatable {
        /// Fetch the message.
        case look
        /// Open the event stream; it is asked for once.
        case listen
        /// Seconds after which ``Input/timeIsUp`` is due.
        case startTimer(Double)
        /// As it stood at last: settled, or pending when the time ran out.
        case finished(FmsgMessage)
        case failed(FmsgError)
    }

    public enum Input: Sendable, Equatable {
        case looked(FmsgMessage)
        case lookFailed(FmsgError)
        case listening
        /// There is no event stream, or it is over.
        case deaf
        /// An event brought the message of that id as it stands.
        case told(FmsgMessage)
        case timeIsUp
    }

    /// Seconds between two looks while the event stream is open, and the most without it.
    static let longestPause = 5.0
    private static let shortestPause = 0.25

    private let id: Int64
    /// In seconds of the clock that the inputs are stamped with.
    private let deadline: Double
    private var latest: FmsgMessage?
    private var hasAskedToListen = false
    private var isListening = false
    private var pause = shortestPause

    /// - Parameter deadline: in seconds of a clock that never goes back.
    public init(id: Int64, until deadline: Double) {
        self.id = id
        self.deadline = deadline
    }

    /// The first actions.
    public func start() -> [Action] { [.look] }

    /// What to do after `input`, at `now`.
    public mutating func handle(_ input: Input, at now: Double) -> [Action] {
        switch input {
        case .looked(let message):
            latest = message
            if message.isDeliverySettled || now >= deadline { return [.finished(message)] }
            let timer = nextLook(at: now)
            guard !hasAskedToListen else { return [timer] }
            hasAskedToListen = true
            return [.listen, timer]
        case .told(let message):
            guard message.id == id else { return [] }
            latest = message
            return message.isDeliverySettled ? [.finished(message)] : []
        case .lookFailed(let error):
            guard error.isRetryable else { return [.failed(error)] }
            guard now >= deadline else { return [nextLook(at: now)] }
            return [latest.map { .finished($0) } ?? .failed(error)]
        case .listening:
            // What came between the look and now was told to nobody.
            isListening = true
            return [.look]
        case .deaf:
            isListening = false
            return []
        case .timeIsUp: return [.look]
        }
    }

    private mutating func nextLook(at now: Double) -> Action {
        let seconds = isListening ? Self.longestPause : pause
        pause = min(pause * 2, Self.longestPause)
        return .startTimer(min(seconds, max(0, deadline - now)))
    }
}
