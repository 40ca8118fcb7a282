/// What a shell's completion script asks a program, in place of a command line:
///
///     fmsg __complete bash LINE BREAKS [WORD...]
///     fmsg __complete zsh WORD...
///     fmsg __complete fish WORD...
///
/// The words are those after the program's name, the last one is to be completed. bash hands over
/// its line up to the cursor and its `COMP_WORDBREAKS`; words after these take the place of the
/// line's.
///
/// The answer's first line is `words`, `files` or `folders`; with `words` each line that follows
/// is a word, and for the shells that show it a tab and a description.
public struct CompletionRequest: Sendable {
    /// The first argument of a request.
    public static let marker = "__complete"

    public enum Shell: String, Sendable, CaseIterable {
        case bash, zsh, fish
    }

    public let shell: Shell
    /// The words of the line, the last one to be completed.
    public let words: [String]
    /// The line of bash.
    private let line: BashLine?
    private let arguments: [String]

    /// - Parameter arguments: those of the program.
    /// - Returns: nil when they are no such request.
    public init?(_ arguments: [String]) {
        guard arguments.first == Self.marker, arguments.count > 1,
            let shell = Shell(rawValue: arguments[1])
        else { return nil }
        self.shell = shell
        var rest = arguments.dropFirst(2)
        guard shell == .bash else {
            line = nil
            words = Array(rest)
            self.arguments = arguments
            return
        }
        guard let text = rest.popFirst(), let breaks = rest.popFirst() else { return nil }
        let line = BashLine(text, breaks: breaks)
        self.line = line
        words = rest.isEmpty ? Array(line.words.dropFirst()) : Array(rest)
        self.arguments = Array(arguments.prefix(4))
    }

    /// The arguments that ask another program the same for other words.
    public func arguments(for words: [String]) -> [String] {
        shell == .bash ? arguments + words : [Self.marker, shell.rawValue] + words
    }

    /// The answer as the shell's script reads it.
    public func answer(_ completion: Completion) -> String {
        if line?.isRedirected == true { return "files\n" }
        switch completion {
        case .file: return "files\n"
        case .folder: return "folders\n"
        case .external: return "words\n"
        case .words(let candidates):
            let lines = candidates.lazy.compactMap(entry).prefix(Self.limit)
            return "words\n" + lines.map { $0 + "\n" }.joined()
        }
    }

    /// More than that nobody chooses from.
    private static let limit = 1000

    /// One line of the answer; nil for a word that cannot stand on it.
    private func entry(_ candidate: CompletionCandidate) -> String? {
        guard !candidate.word.unicodeScalars.contains(where: \.isControl) else { return nil }
        let description = DisplayText.cut(DisplayText.escape(candidate.description), width: 60)
        guard let word = line.map({ $0.insertion(of: candidate.word) }) ?? candidate.word else {
            return nil
        }
        return description.isEmpty ? word : "\(word)\t\(description)"
    }
}

extension Unicode.Scalar {
    /// Whether it is of the general category Cc, which will not grow.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
