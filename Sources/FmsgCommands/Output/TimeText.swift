import CommandLineTool

/// Moments as text.
enum TimeText {
    /// RFC 3339 in UTC with milliseconds; nil beyond the years that it can write.
    static func rfc3339(_ seconds: Double) -> String? {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        let milliseconds = Int64((seconds * 1000).rounded(.down))
        let whole = (Double(milliseconds) / 1000).rounded(.down)
        let time = LocalTime(utc: Int64(whole))
        let fraction = milliseconds - Int64(whole) * 1000
        return "\(date(time))T\(clock(time)).\(padded(Int(fraction), 3))Z"
    }

    /// RFC 3339 in UTC to the second, rounded down; nil beyond the years that it can write.
    static func wholeSecond(_ seconds: Double) -> String? {
        rfc3339(seconds.rounded(.down))?.replacing(".000Z", with: "Z")
    }

    /// Date and time to the minute in the local zone, for lists on a terminal.
    static func short(_ seconds: Double, _ time: TimeSource) -> String {
        guard let local = time.localTime(seconds) else { return "?" }
        return "\(date(local)) \(padded(local.hour, 2)):\(padded(local.minute, 2))"
    }

    /// Date, time and offset in the local zone.
    static func long(_ seconds: Double, _ time: TimeSource) -> String {
        guard let local = time.localTime(seconds) else { return "?" }
        let minutes = abs(local.offset) / 60
        let sign = local.offset < 0 ? "-" : "+"
        return "\(date(local)) \(clock(local)) \(sign)\(padded(minutes / 60, 2))"
            + padded(minutes % 60, 2)
    }

    private static func date(_ time: LocalTime) -> String {
        "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
    }

    private static func clock(_ time: LocalTime) -> String {
        "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
