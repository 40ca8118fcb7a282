/// Something worth reading that belongs to no single command: said once, for the help and the
/// manual.
public struct HelpTopic: Sendable {
    /// The word it is asked for by: `exit-codes`.
    public let name: String
    /// One line of fewer than 60 characters, without a full stop.
    public let summary: String
    private let text: @Sendable () -> [TextBlock]

    /// - Parameter text: made only when the topic is shown.
    public init(_ name: String, summary: String, text: @escaping @Sendable () -> [TextBlock]) {
        self.name = name
        self.summary = summary
        self.text = text
    }

    public var blocks: [TextBlock] { text() }

    /// Every example in it.
    public var examples: [Example] {
        blocks.flatMap { block -> [Example] in
            if case .examples(let examples) = block { return examples }
            return []
        }
    }
}

/// A piece of a text, without how it looks.
public enum TextBlock: Sendable, Equatable {
    case heading(String)
    /// Text that is wrapped.
    case paragraph(String)
    case terms([Term])
    case examples([Example])

    /// A word with its explanation.
    public struct Term: Sendable, Equatable {
        public let name: String
        public let explanation: String

        public init(_ name: String, _ explanation: String) {
            self.name = name
            self.explanation = explanation
        }
    }
}

extension TextBlock {
    /// The exit codes with what they mean.
    public static func exitCodes(_ codes: [ExitCode]) -> TextBlock {
        .terms(codes.map { Term(String($0.rawValue), $0.meaning) })
    }
}
