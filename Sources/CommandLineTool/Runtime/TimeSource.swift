import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clocks.
public struct TimeSource: Sendable {
    private let readNow: @Sendable () -> Double
    private let readUptime: @Sendable () -> Double
    private let wait: @Sendable (Double) async throws(CancellationError) -> Void
    private let convert: @Sendable (Int64) -> LocalTime?

    /// - Parameters:
    ///   - sleep: waits for that many seconds.
    ///   - localTime: converts whole POSIX seconds.
    public init(
        now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Double) async throws(CancellationError) -> Void,
        localTime: @escaping @Sendable (Int64) -> LocalTime?
    ) {
        readNow = now
        readUptime = uptime
        wait = sleep
        convert = localTime
    }

    /// The time of day, in POSIX seconds. It may jump.
    public var now: Double { readNow() }

    /// Seconds since some moment; they never go back, and go on while the machine sleeps. For
    /// measuring and for back-off.
    public var uptime: Double { readUptime() }

    /// Waits.
    /// - Throws: when the task is cancelled meanwhile.
    public func sleep(_ seconds: Double) async throws(CancellationError) { try await wait(seconds) }

    /// A moment in the local time zone; nil beyond the years 0 to 9999.
    public func localTime(_ seconds: Double) -> LocalTime? {
        // The bound lies beyond the year 9999, and keeps the conversion from trapping.
        guard seconds.magnitude < 1e12 else { return nil }
        return convert(Int64(seconds.rounded(.down)))
    }

    /// The clocks and the time zone of this machine.
    public static var ofSystem: TimeSource {
        TimeSource(
            now: { read(CLOCK_REALTIME) },
            uptime: { read(bootTime) },
            sleep: { seconds async throws(CancellationError) in
                do {
                    try await Task.sleep(for: .seconds(max(0, min(seconds, 1e9))))
                } catch {
                    throw CancellationError()
                }
            },
            localTime: LocalTime.ofSystem)
    }

    #if os(Linux)
        // CLOCK_MONOTONIC stands still while the machine sleeps.
        private static let bootTime = CLOCK_BOOTTIME
    #else
        private static let bootTime = CLOCK_MONOTONIC
    #endif

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A date and time of day as a clock on the wall shows it.
public struct LocalTime: Sendable, Equatable {
    public var year: Int
    public var month: Int
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    /// Seconds east of UTC.
    public var offset: Int

    public init(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, offset: Int
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.offset = offset
    }

    static let ofSystem: @Sendable (Int64) -> LocalTime? = { seconds in
        var time = csystem_local_time()
        guard csystem_to_local_time(seconds, &time) else { return nil }
        return LocalTime(
            year: Int(time.year), month: Int(time.month), day: Int(time.day),
            hour: Int(time.hour), minute: Int(time.minute), second: Int(time.second),
            offset: time.offset)
    }
}
