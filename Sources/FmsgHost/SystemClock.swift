#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clocks of the machine.
public enum SystemClock {
    /// Seconds since 1970.
    public static func now() -> Double { read(CLOCK_REALTIME) }

    /// Seconds on a clock that is never set.
    static func monotonic() -> Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
