import CommandLineTool
import FmsgCore

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

    /// The same for what lies ahead, where an age is a span from now on.
    func seconds(after now: Double) -> Double {
        switch self {
        case .moment(let seconds): seconds
        case .age(let seconds): now + seconds
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
        RFC3339.midnight(text) ?? RFC3339.seconds(text)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
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
