/// Numbers of bytes for people, in powers of a thousand.
public enum ByteCount {
    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

    /// As in `1 byte`, `999 bytes`, `1.2 kB`, `34.5 GB`.
    public static func text(_ count: Int64) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        // In tenths of the unit, rounded: what would become 1000.0 goes on to the next one.
        var tenths = count / 100 + (count % 100 >= 50 ? 1 : 0)
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths = tenths / 1000 + (tenths % 1000 >= 500 ? 1 : 0)
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Reads a number of bytes, with or without a unit: `10485760`, `10M`, `2GB`, in powers of a
    /// thousand. Nil for anything else, and beyond 64 bits.
    public static func parse(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits) else { return nil }
        var unit = text.dropFirst(digits.count).uppercased()
        if unit.hasSuffix("B") { unit.removeLast() }
        guard !unit.isEmpty else { return number }
        guard let power = units.firstIndex(where: { $0.uppercased() == unit + "B" }) else {
            return nil
        }
        var (value, overflow) = (number, false)
        for _ in 0...power where !overflow {
            (value, overflow) = value.multipliedReportingOverflow(by: 1000)
        }
        return overflow ? nil : value
    }
}
