import Synchronization

extension Runtime {
    /// Surroundings in which a command can be tested: streams in memory, clocks that stand still
    /// in UTC, no terminal, no signals, real files, and processes that are real. Whatever a test
    /// needs otherwise it sets afterwards.
    ///
    /// - Parameters:
    ///   - now: what the clock shows, in POSIX seconds.
    ///   - terminals: the streams that count as terminals.
    public static func forTesting(
        _ arguments: [String] = [], environment: Environment = [:], input: String = "",
        terminals: Set<StandardStream> = [], columns: Int = 80, now: Double = 1_790_000_000,
        typed secret: String? = nil
    ) -> Runtime {
        Runtime(
            arguments: arguments, environment: environment,
            standardInput: ByteInput(bytes: Array(input.utf8), name: "standard input"),
            standardOutput: .memory("standard output"), standardError: .memory("standard error"),
            terminal: TerminalFacts(terminals: terminals, columns: { columns }),
            time: .standing(at: now), files: LocalFileSystem(),
            // The signals of the process are not one test's to change.
            processes: ProcessRunner(runOnTerminal: ProcessRunner.runOnSystem),
            signals: .none,
            secretPrompt: SecretPrompt { _ async throws(PromptError) in
                guard let secret else { throw .noTerminal }
                return secret
            },
            executablePath: nil,
            random: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } })
    }
}

extension TimeSource {
    /// Clocks that stand still; a wait is over at once, and the time zone is UTC.
    public static func standing(at now: Double) -> TimeSource {
        TimeSource(
            now: { now }, uptime: { 0 },
            sleep: { _ async throws(CancellationError) in
                if Task.isCancelled { throw CancellationError() }
                await Task.yield()
            },
            localTime: { LocalTime(utc: $0) })
    }
}

extension LocalTime {
    /// The moment in UTC, by the proleptic Gregorian calendar.
    public init(utc seconds: Int64) {
        let (days, rest) = seconds.dividingFloor(by: 86_400)
        // Years begin on 1 March here, so that the leap day is the last of its year.
        let (era, dayOfEra) = (days + 719_468).dividingFloor(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        self.init(
            year: Int(yearOfEra + era * 400 + (month >= 10 ? 1 : 0)),
            month: Int(month < 10 ? month + 3 : month - 9),
            day: Int(dayOfYear - (153 * month + 2) / 5 + 1), hour: Int(rest / 3600),
            minute: Int(rest / 60 % 60), second: Int(rest % 60), offset: 0)
    }
}

extension Int64 {
    fileprivate func dividingFloor(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = ((self % divisor) + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}

/// Signals that a test sends by hand.
public final class TestSignals: Sendable {
    private let receivers = Mutex<[Int: @Sendable (Signal) -> Void]>([:])

    public init() {}

    public var signals: Signals {
        Signals { receive in
            let key = self.receivers.withLock { receivers in
                let key = (receivers.keys.max() ?? 0) + 1
                receivers[key] = receive
                return key
            }
            return { self.receivers.withLock { $0[key] = nil } }
        }
    }

    /// Whether anyone waits for a signal.
    public var isAwaited: Bool { receivers.withLock { !$0.isEmpty } }

    public func send(_ signal: Signal) {
        for receive in receivers.withLock({ Array($0.values) }) { receive(signal) }
    }
}
