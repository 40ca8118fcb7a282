/// A line of bash up to the cursor, split into words as bash reads them.
///
/// bash replaces only the part of the last word that stands after its last unquoted break
/// character (`COMP_WORDBREAKS`) or after an open quote; so what is inserted is that part, quoted
/// as the place needs it.
struct BashLine {
    /// The words without their quotes, the program's name first. The last one may be empty.
    private(set) var words: [String] = []
    /// Whether the last word is the target of a redirection.
    private(set) var isRedirected = false

    /// The quote that is open at the end, if any.
    private var quote: Character?
    /// What of the last word stands before the part that bash replaces, without quotes.
    private var kept = ""
    private var word = ""
    private var isInWord = false

    init(_ line: String, breaks: String) {
        var characters = Substring(line)
        while let character = characters.popFirst() {
            if character == quote {
                quote = nil
                kept = word
            } else if quote == "'" {
                word.append(character)
            } else if character == "\\" {
                isInWord = true
                guard let next = characters.popFirst() else { break }
                if quote != nil, !"$`\"\\".contains(next) { word.append("\\") }
                word.append(next)
            } else if quote != nil {
                word.append(character)
            } else if character == "\"" || character == "'" {
                isInWord = true
                quote = character
                kept = word
            } else {
                readPlain(character, breaks)
            }
        }
        words.append(word)
    }

    private mutating func readPlain(_ character: Character, _ breaks: String) {
        switch character {
        case " ", "\t", "\n":
            if isInWord { endWord() }
        case "<", ">":
            // A number before it is a descriptor.
            if isInWord, word.allSatisfy(\.isNumber) { clearWord() }
            if isInWord { endWord() }
            isRedirected = true
        case "&" where isRedirected && !isInWord: break
        default:
            isInWord = true
            // readline breaks at these, too, and keeps them in the part that it replaces.
            let isKeptInPart = character == "@" || character == "$"
            if breaks.contains(character), isKeptInPart { kept = word }
            word.append(character)
            if breaks.contains(character), !isKeptInPart { kept = word }
        }
    }

    private mutating func endWord() {
        if !isRedirected { words.append(word) }
        isRedirected = false
        clearWord()
    }

    private mutating func clearWord() {
        word = ""
        kept = ""
        isInWord = false
    }

    /// What bash is to put in the place of the part that it replaces, so that the last word
    /// becomes `candidate`; nil when that does not begin as the word does.
    func insertion(of candidate: String) -> String? {
        guard candidate.utf8.starts(with: word.utf8) else { return nil }
        let rest = String(decoding: candidate.utf8.dropFirst(kept.utf8.count), as: UTF8.self)
        switch quote {
        case "'": return rest.replacing("'", with: "'\\''")
        case .some: return Self.escape(rest, "$`\"\\")
        case nil: return Self.escape(rest, " \t\"'\\$`!&;|<>(){}[]*?#~^")
        }
    }

    private static func escape(_ text: String, _ special: String) -> String {
        text.reduce(into: "") { escaped, character in
            if special.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}
