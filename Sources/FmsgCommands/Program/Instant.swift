import CommandLineTool

/// A moment as it is typed: RFC 3339, a date (midnight UTC), or an age.
enum Instant: Sendable, Equatable {
    /// POSIX seconds.
    case moment(Double)
    /// Seconds before now.
    case age(Double)

    func seconds(before now: Double) -> Double {
        switch self {
        case .moment(let seconds): seconds
        case .age(let seconds): now - seconds
        }
    }

    /// Nil when the text is none of the three.
    init?(_ text: String) {
        if let age = Self.age(text) {
            self = .age(age)
        } else if let moment = Self.moment(text) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    private static func age(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let last = text.last, let unit = units[last], let count = number(text.dropLast()),
            text.utf8.count < 8
        else { return nil }
        return Double(count) * unit
    }

    private static func moment(_ text: String) -> Double? {
        guard text.utf8.count >= 10, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let date = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3, date[0].count == 4, date[1].count == 2, date[2].count == 2,
            let year = number(date[0]), let month = number(date[1]), let day = number(date[2]),
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
        else { return nil }
        let midnight = Double(dayNumber(year, month, day)) * 86_400
        let rest = text.dropFirst(10)
        if rest.isEmpty { return midnight }
        guard let first = rest.first, "Tt ".contains(first),
            let (clock, offset) = clock(rest.dropFirst())
        else { return nil }
        return midnight + clock - offset
    }

    /// `hh:mm:ss`, with or without a fraction, and `Z` or an offset: seconds of the day, and
    /// seconds east of UTC.
    private static func clock(_ text: Substring) -> (Double, Double)? {
        guard let zone = text.firstIndex(where: { "Zz+-".contains($0) }) else { return nil }
        let parts = text[..<zone].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count >= 2,
            let hour = number(parts[0]), let minute = number(parts[1]),
            let whole = number(parts[2].prefix(2)), let second = Double(parts[2]),
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

    private static func number(_ text: Substring) -> Int? {
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

extension ValueType where Element == Instant {
    /// RFC 3339, a date, or an age such as `2d`.
    static var instant: Self {
        ValueType("WHEN", kind: .instant) { text throws(InvalidValue) in
            guard let instant = Instant(text) else {
                throw InvalidValue(
                    "expected RFC 3339, a date such as 2026-11-30, or an age such as 2d")
            }
            return instant
        }
    }
}
