/// What words of a line stand for because of what was there before it: at a prompt, where lists
/// were printed and a message is open. It is empty for a command line of its own.
public struct LineSurroundings: Sendable, Equatable {
    /// The message that is meant where a line names none.
    public var message: String?
    /// What the lines of the last listing name: `%1` is the first of them.
    public var listed: [String]

    public init(message: String? = nil, listed: [String] = []) {
        self.message = message
        self.listed = listed
    }

    /// What a word stands for where a value of `kind` is expected: `%N` names a line of the last
    /// listing where a message is expected, and is a word like any other elsewhere.
    /// - Throws: ``UsageError`` for a number that no line has.
    func meaning(of word: String, _ kind: ValueKind) throws(UsageError) -> String {
        guard kind == .messageReference || kind == .draftReference,
            let number = Self.number(word)
        else { return word }
        guard !listed.isEmpty else {
            throw UsageError(
                "\(word): no list was shown that it could name a line of",
                hint: "name the message by its id, or as -N")
        }
        guard listed.indices.contains(number - 1) else {
            throw UsageError("\(word): the last listing has \(listed.count) lines")
        }
        return listed[number - 1]
    }

    /// The words with the open message put first, when the command takes one and the words begin
    /// with no other. A word that could name a message always does.
    func completed(
        _ words: [String], of command: CommandDeclaration
    ) throws(UsageError) -> [String] {
        guard let message, command.path.count == 1, let first = command.operands.first,
            first.kind == .messageReference, first.minimum == 1
        else { return words }
        guard let word = words.first else { return [message] }
        // A wrong reference is better told than taken for what follows, where nothing can follow.
        guard command.operands.count > 1, Self.number(word) == nil else { return words }
        do throws(InvalidValue) {
            try first.check(word)
            return words
        } catch {
            return [message] + words
        }
    }

    /// The N of `%N`.
    private static func number(_ word: String) -> Int? {
        guard word.utf8.first == UInt8(ascii: "%"), word.utf8.count > 1 else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard word.utf8.dropFirst().allSatisfy(digits.contains) else { return nil }
        return Int(word.dropFirst())
    }
}
