import Synchronization

/// Shows how far one transfer is on a terminal, once it takes longer than a moment. Any thread may
/// tell of bytes.
public final class ProgressMeter: Sendable {
    /// Seconds before anything is shown, and between two lines.
    private static let patience = 0.5
    private static let period = 0.1

    private struct State {
        var done: Int64
        /// Where and when this run began: what an earlier one brought says nothing of the rate.
        var start: Int64
        var startedAt: Double
        var shownAt: Double?
    }

    private let name: String
    private let total: Int64
    private let output: ByteOutput
    private let time: TimeSource
    private let terminal: TerminalFacts
    private let state: Mutex<State>

    /// - Parameter done: bytes that are through already.
    public init(
        _ name: String, done: Int64 = 0, total: Int64, on output: ByteOutput,
        _ terminal: TerminalFacts, _ time: TimeSource
    ) {
        self.name = name
        self.total = total
        self.output = output
        self.terminal = terminal
        self.time = time
        state = Mutex(State(done: done, start: done, startedAt: time.uptime))
    }

    /// So many bytes are through by now.
    public func reach(_ done: Int64) {
        let now = time.uptime
        let bar = state.withLock { state -> ProgressBar? in
            // A transfer that begins anew has done less.
            if done < state.done { (state.start, state.startedAt) = (done, now) }
            state.done = done
            let elapsed = now - state.startedAt
            guard now - (state.shownAt ?? (state.startedAt + Self.patience)) >= Self.period else {
                return nil
            }
            state.shownAt = now
            let rate = elapsed > 0 ? Double(done - state.start) / elapsed : 0
            return ProgressBar(name: name, done: done, total: total, rate: rate)
        }
        // What is only talk may get lost with its reader.
        if let bar { try? output.write("\r\(bar.line(columns: terminal.columns))\u{1B}[K") }
    }

    /// Takes the line away.
    public func end() {
        let wasShown = state.withLock { state in
            defer { state.shownAt = nil }
            return state.shownAt != nil
        }
        if wasShown { try? output.write("\r\u{1B}[K") }
    }
}
