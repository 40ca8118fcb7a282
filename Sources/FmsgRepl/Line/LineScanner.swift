// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a line into statements and their words.
///
/// Blanks part words. Quotes (`'` and `"`) keep blanks and signs in a word; they count where a
/// word begins, after `=`, and after another quote, so that an apostrophe within a word is one.
/// A backslash takes the next character as it is; between double quotes only `"` and `\`. The
/// signs `|` and `;` count anywhere, `>`, `>>` and `<<` where a word begins, `!` and `#` where a
/// statement does.
struct LineScanner {
    /// A statement, and the line that ends its text if one is to follow.
    struct Scanned: Equatable {
        var statement: Statement
        var textEnd: String?
    }

    enum Outcome: Equatable {
        case statements([Scanned])
        /// A quote is open, or the line ends in a backslash: the next line belongs to it.
        case continues(isQuoted: Bool)
    }

    private let scalars: [Unicode.Scalar]
    private let home: String?
    private var index = 0
    private var scanned: [Scanned] = []
    private var words: [String] = []
    private var output = Statement.Output.standard
    private var textEnd: String?
    /// What is being typed, when a line up to the cursor is read.
    private var typed: Typed?

    /// - Parameter home: what `~/` at the beginning of a word stands for.
    static func scan(_ line: String, home: String? = nil) throws(LineError) -> Outcome {
        var scanner = LineScanner(line, home)
        do {
            try scanner.scanStatements()
            return .statements(scanner.scanned)
        } catch {
            switch error {
            case .continues(let isQuoted): return .continues(isQuoted: isQuoted)
            case .wrong(let error): throw error
            }
        }
    }

    /// A line as far as it was typed: the last statement's words, the last of them perhaps half
    /// done.
    struct Typed: Equatable {
        enum Place: Equatable {
            /// A word of a command.
            case word
            /// The file of `>`.
            case file
            /// A command line of the shell.
            case shell
            /// A comment.
            case none
        }

        var place = Place.word
        /// The words before the one that is being typed.
        var words: [String] = []
        /// What there is of that, without its quotes.
        var word = ""
        /// Where it begins, in scalars from the line's start.
        var start: Int
        /// The quote that is open in it.
        var quote: Unicode.Scalar?
    }

    /// Reads a line up to the cursor.
    static func typed(_ line: String, home: String? = nil) -> Typed {
        var scanner = LineScanner(line, home)
        scanner.typed = Typed(start: scanner.scalars.count)
        // A line that is wrong is completed as far as it is understood.
        try? scanner.scanStatements()
        return scanner.typed ?? Typed(start: scanner.scalars.count)
    }

    private enum Stop: Error {
        case continues(isQuoted: Bool)
        case wrong(LineError)
    }

    private init(_ line: String, _ home: String?) {
        scalars = Array(line.unicodeScalars)
        self.home = home
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    private mutating func skipBlanks() {
        while let scalar = next, Self.isBlank(scalar) { index += 1 }
    }

    /// Takes `sign` if it comes next.
    private mutating func take(_ sign: String) -> Bool {
        let sign = Array(sign.unicodeScalars)
        guard scalars[index...].starts(with: sign) else { return false }
        index += sign.count
        return true
    }

    // MARK: Statements

    private mutating func scanStatements() throws(Stop) {
        while true {
            skipBlanks()
            guard let scalar = next else {
                guard typed == nil else {
                    typed?.words = words
                    return
                }
                return try end(before: "the end")
            }
            let isAtStart = words.isEmpty && output == .standard && textEnd == nil
            switch scalar {
            case "#" where isAtStart:
                typed?.place = .none
                index = scalars.count
            case "!" where isAtStart:
                index += 1
                let command = text(from: index, to: scalars.count)
                noteShell(from: index)
                scanned.append(Scanned(statement: Statement(action: .shell(command))))
                index = scalars.count
            case ";":
                index += 1
                try end(before: ";")
            case "|":
                index += 1
                try scanPipe()
            default:
                if take(">>") {
                    try scanFile(appends: true)
                } else if take(">") {
                    try scanFile(appends: false)
                } else if take("<<") {
                    try scanTextEnd()
                } else {
                    let word = try scanWord()
                    if typed?.start ?? index < index { return noteWords() }
                    if case .file = output { throw .wrong(.textAfterFile(word)) }
                    words.append(word)
                }
            }
        }
    }

    private mutating func end(before sign: String) throws(Stop) {
        defer {
            words = []
            output = .standard
            textEnd = nil
        }
        guard words.isEmpty else {
            scanned.append(
                Scanned(
                    statement: Statement(action: .command(words), output: output), textEnd: textEnd)
            )
            return
        }
        // Nothing between two signs is no fault.
        guard output == .standard, textEnd == nil else {
            throw .wrong(.missingCommand(before: sign))
        }
    }

    private mutating func scanPipe() throws(Stop) {
        guard !words.isEmpty else { throw .wrong(.missingCommand(before: "|")) }
        guard output == .standard else { throw .wrong(.twoOutputs) }
        let command = try scanShellCommand()
        guard !command.isEmpty else { throw .wrong(.missingShellCommand) }
        output = .pipe(command)
    }

    private mutating func scanFile(appends: Bool) throws(Stop) {
        guard !words.isEmpty else { throw .wrong(.missingCommand(before: ">")) }
        guard output == .standard else { throw .wrong(.twoOutputs) }
        skipBlanks()
        typed?.place = .file
        guard let scalar = next, scalar != ";", scalar != "|" else { throw .wrong(.missingFile) }
        let path = try scanWord()
        if typed?.start ?? index < index { return }
        typed?.place = .word
        guard !path.isEmpty else { throw .wrong(.missingFile) }
        output = .file(path, appends: appends)
    }

    private mutating func scanTextEnd() throws(Stop) {
        guard !words.isEmpty else { throw .wrong(.missingCommand(before: "<<")) }
        guard textEnd == nil else { throw .wrong(.twoInputs) }
        // The word that ends the text stands next to the sign; a dot does without one.
        guard let scalar = next, !Self.isBlank(scalar), scalar != ";", scalar != "|" else {
            textEnd = "."
            return
        }
        textEnd = try scanWord()
    }

    // MARK: Words

    private mutating func scanWord() throws(Stop) -> String {
        let start = index
        var word = String.UnicodeScalarView()
        var mayQuote = true
        if let home, scalars[index...].starts(with: "~/".unicodeScalars) {
            word.append(contentsOf: home.unicodeScalars)
            index += 1
        }
        while let scalar = next {
            switch scalar {
            case "'" where mayQuote:
                index += 1
                word.append(contentsOf: try scanQuoted(by: "'"))
            case "\"" where mayQuote:
                index += 1
                word.append(contentsOf: try scanQuoted(by: "\""))
            case "\\":
                index += 1
                guard let escaped = next else {
                    guard typed != nil else { throw .continues(isQuoted: false) }
                    break
                }
                index += 1
                // A line end after a backslash is none.
                if escaped != "\n" { word.append(escaped) }
                mayQuote = false
            case _ where Self.isBlank(scalar) || scalar == ";" || scalar == "|":
                return String(word)
            default:
                index += 1
                word.append(scalar)
                mayQuote = scalar == "="
            }
        }
        if typed != nil {
            typed?.start = start
            typed?.word = String(word)
        }
        return String(word)
    }

    private mutating func scanQuoted(
        by quote: Unicode.Scalar
    ) throws(Stop) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        while let scalar = next {
            index += 1
            if scalar == quote { return text }
            if scalar == "\\", quote == "\"", let escaped = next,
                escaped == "\"" || escaped == "\\"
            {
                index += 1
                text.append(escaped)
                continue
            }
            text.append(scalar)
        }
        guard typed != nil else { throw .continues(isQuoted: true) }
        typed?.quote = quote
        return text
    }

    // MARK: The shell's part

    /// Notes that what is typed is the shell's, from a scalar of the line on.
    private mutating func noteShell(from first: Int) {
        guard typed != nil, index >= first else { return }
        guard let word = ShellWords.typed(scalars[first...], home: home) else {
            typed = Typed(place: .none, words: words, start: scalars.count)
            return
        }
        typed = Typed(
            place: .shell, words: words, word: word.word, start: first + word.start,
            quote: word.quote)
    }

    private mutating func noteWords() { typed?.words = words }

    /// The text up to a `;` that is outside of the shell's quotes and parentheses.
    private mutating func scanShellCommand() throws(Stop) -> String {
        let start = index
        var quote: Unicode.Scalar?
        var depth = 0
        scan: while let scalar = next {
            switch scalar {
            case "\\" where quote != "'": index += 1
            case "'", "\"", "`":
                if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
            case "(" where quote == nil: depth += 1
            case ")" where quote == nil: depth -= 1
            case ";" where quote == nil && depth <= 0: break scan
            default: break
            }
            index = min(index + 1, scalars.count)
        }
        if next == nil { noteShell(from: start) }
        guard quote == nil else { throw .continues(isQuoted: true) }
        return text(from: start, to: index)
    }

    private func text(from start: Int, to end: Int) -> String {
        var text = scalars[start..<end]
        while let first = text.first, Self.isBlank(first) { text.removeFirst() }
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text)
        return String(view)
    }
}
