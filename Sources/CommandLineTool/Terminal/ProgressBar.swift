/// How far a transfer has come, as one line of a terminal.
public struct ProgressBar: Sendable, Equatable {
    /// What is transferred; escaped here.
    public var name: String
    /// Bytes that are through, and all of them.
    public var done: Int64
    public var total: Int64
    /// Bytes a second.
    public var rate: Double

    public init(name: String, done: Int64, total: Int64, rate: Double) {
        self.name = name
        self.done = done
        self.total = total
        self.rate = rate
    }

    private static let longestBar = 30

    /// The line for a terminal of that many columns, shorter than it.
    public func line(columns: Int) -> String {
        let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
        let percent = DisplayText.padLeft("\(Int(share * 100))%", width: 4)
        var facts = "\(ByteCount.text(done)) of \(ByteCount.text(total))"
        if rate > 0 {
            facts += ", \(ByteCount.text(Int64(min(rate, 1e15))))/s"
            let left = Double(max(0, total - done)) / rate
            if left < 360_000 { facts += ", \(Self.duration(Int(left.rounded(.up)))) left" }
        }
        let label = DisplayText.cut(DisplayText.escape(name), width: max(0, columns / 3))
        let room = columns - 1 - DisplayText.width(label) - percent.count - facts.count - 8
        var parts = [label, percent]
        if room >= 5 {
            let width = min(room, Self.longestBar)
            let filled = Int(share * Double(width))
            parts.append(
                "[" + String(repeating: "#", count: filled)
                    + String(repeating: " ", count: width - filled) + "]")
        }
        parts.append(facts)
        return DisplayText.cut(parts.joined(separator: "  "), width: columns - 1)
    }

    /// As in `0:07`, `12:34`, `1:02:03`.
    private static func duration(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
