/// When to colour: the values of `--color`.
public enum ColorChoice: String, Sendable, CaseIterable {
    case auto
    case always
    case never
}

/// How text looks on a terminal that can show it.
public struct Style: Sendable, Equatable {
    /// One look, by its number in ECMA-48 (SGR).
    public enum Look: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
    }

    /// Whether anything but the text itself is written.
    public let isOn: Bool

    public init(isOn: Bool) { self.isOn = isOn }

    /// Text as it is.
    public static let plain = Style(isOn: false)

    /// The one place that decides on colour. The choice wins; left to itself (`auto`) it is off
    /// with `NO_COLOR`, on with `CLICOLOR_FORCE` (but for `0`), and else on for a terminal that
    /// is named by `TERM` and not `dumb`.
    public static func decide(
        _ choice: ColorChoice, _ environment: Environment, isTerminal: Bool
    ) -> Style {
        switch choice {
        case .always: return Style(isOn: true)
        case .never: return .plain
        case .auto: break
        }
        if environment["NO_COLOR"] != nil { return .plain }
        if let force = environment["CLICOLOR_FORCE"], force != "0" { return Style(isOn: true) }
        guard isTerminal, let terminal = environment["TERM"] else { return .plain }
        return Style(isOn: terminal != "dumb")
    }

    /// The text with looks. It must be escaped already, and is measured before.
    public func apply(_ looks: Look..., to text: String) -> String {
        guard isOn, !looks.isEmpty, !text.isEmpty else { return text }
        let numbers = looks.map { String($0.rawValue) }.joined(separator: ";")
        return "\u{1B}[\(numbers)m\(text)\u{1B}[0m"
    }
}
