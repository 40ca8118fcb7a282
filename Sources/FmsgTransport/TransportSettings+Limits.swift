import FmsgCore

extension TransportSettings {
    /// ``connectTimeout`` in whole milliseconds, at least one: 0 would mean libcurl's default.
    var connectMilliseconds: Int {
        Int((Self.bounded(connectTimeout) * 1000).rounded(.up))
    }

    var idleDuration: Duration {
        .seconds(Self.bounded(idleTimeout))
    }

    /// Seconds that any clock can count: from a millisecond to some twelve days.
    private static func bounded(_ seconds: Double) -> Double {
        seconds > 0.001 ? min(seconds, 1_000_000) : 0.001
    }
}
