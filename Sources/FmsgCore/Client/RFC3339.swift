/// Reads moments as RFC 3339 writes them.
public enum RFC3339 {
    /// POSIX seconds of a date and a time with `Z` or an offset; nil for anything else. A space
    /// may stand for the `T`.
    public static func seconds(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }), let midnight = midnight(text.prefix(10)) else {
            return nil
        }
        let rest = text.dropFirst(10)
        guard let first = rest.first, "Tt ".contains(first),
            let (clock, offset) = clock(rest.dropFirst())
        else { return nil }
        return midnight + clock - offset
    }

    /// POSIX seconds of the begin of a date, as in `2026-11-30`, in UTC; nil for anything else.
    public static func midnight(_ text: some StringProtocol) -> Double? {
        let date = text.split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3, date[0].utf8.count == 4, date[1].utf8.count == 2,
            date[2].utf8.count == 2, let year = number(date[0]), let month = number(date[1]),
            let day = number(date[2]), (1...12).contains(month),
            (1...days(in: month, of: year)).contains(day)
        else { return nil }
        return Double(dayNumber(year, month, day)) * 86_400
    }

    /// `hh:mm:ss`, with or without a fraction, and `Z` or an offset: seconds of the day, and
    /// seconds east of UTC.
    private static func clock(_ text: Substring) -> (Double, Double)? {
        guard let zone = text.firstIndex(where: { "Zz+-".contains($0) }) else { return nil }
        let parts = text[..<zone].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count >= 2,
            let hour = number(parts[0]), let minute = number(parts[1]),
            let whole = number(parts[2].prefix(2)), let second = Double(parts[2]),
            parts[2].allSatisfy({ $0.isNumber || $0 == "." }),
            hour < 24, minute < 60, whole <= 60
        else { return nil }
        let seconds = Double(hour * 3600 + minute * 60) + second
        let sign: Double = text[zone] == "-" ? -1 : 1
        if text[zone] == "Z" || text[zone] == "z" {
            return text[zone...].count == 1 ? (seconds, 0) : nil
        }
        let offset = text[zone...].dropFirst().split(
            separator: ":", omittingEmptySubsequences: false)
        guard offset.count == 2, offset[0].count == 2, offset[1].count == 2,
            let hours = number(offset[0]), let minutes = number(offset[1]), hours < 24,
            minutes < 60
        else { return nil }
        return (seconds, sign * Double(hours * 3600 + minutes * 60))
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin on 1 March here, so that the leap day is the last of its year.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
