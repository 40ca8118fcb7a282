/// Points in time as the web API writes them.
enum Timestamp {
    /// RFC 3339 UTC in whole seconds, as in `2026-11-30T02:26:55Z`.
    static func rfc3339(_ seconds: Double) -> String {
        let whole = Int64(seconds.rounded(.down))
        let (day, second) = (whole.floorDivided(by: 86_400), whole.floorRemainder(by: 86_400))
        let (year, month, dayOfMonth) = civilDate(day)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let hour = padded(second / 3600, 2)
        return "\(date)T\(hour):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
    }

    /// Seconds cut to microseconds, as message times are.
    static func microseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

    /// The Gregorian date of a day counted from 1970-01-01. Years begin in March here, so that
    /// the leap day is their last.
    private static func civilDate(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted.floorRemainder(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        (self - floorRemainder(by: divisor)) / divisor
    }

    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        (self % divisor + divisor) % divisor
    }
}
