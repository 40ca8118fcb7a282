/// A word that can stand in the place of the one that is being typed.
public struct CompletionCandidate: Sendable, Equatable {
    /// The whole word, without any quoting.
    public let word: String
    /// A few words about it for whoever has to choose; may be empty.
    public let description: String

    public init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }
}

/// What can stand in the place of the last word of a line.
public enum Completion: Sendable, Equatable {
    /// One of these, best first. Those that do not begin as the word does are among them.
    case words([CompletionCandidate])
    /// The name of a file.
    case file
    /// The name of a folder.
    case folder
    /// What another program knows (see ``CommandDeclaration/isExternal``), by the words after
    /// its name.
    case external(command: String, words: [String])
}

/// The words of a line before the one that is completed, by what they mean.
public struct CompletionLine: Sendable {
    /// The command, once its name is whole.
    public internal(set) var command: CommandDeclaration?
    public internal(set) var operands: [String] = []
    /// The options given, also such as are not known.
    public internal(set) var occurrences: [Invocation.Occurrence] = []

    /// The value of an option, the last one given.
    public func value(of option: any DeclaredOption) -> String? {
        occurrences.last { $0.long == option.declaration.long }?.text
    }

    public func isGiven(_ option: any DeclaredOption) -> Bool {
        occurrences.contains { $0.long == option.declaration.long }
    }
}
