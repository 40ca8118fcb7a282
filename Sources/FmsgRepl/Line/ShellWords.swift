// SPDX-License-Identifier: GPL-3.0-or-later

/// Words as a shell reads them.
enum ShellWords {
    /// A command line of the words, with its output led where a statement says.
    static func line(_ words: [String], to output: Statement.Output) -> String {
        let command = words.map(quoted).joined(separator: " ")
        return switch output {
        case .standard: command
        case .pipe(let reader): "\(command) | \(reader)"
        case .file(let path, let appends): "\(command) \(appends ? ">>" : ">") \(quoted(path))"
        }
    }

    /// The word that is being typed at the end of a command line.
    struct Typed: Equatable {
        /// What it is to the shell as far as it is typed.
        var word = ""
        /// Where it begins, in scalars from the line's start.
        var start = 0
        /// The quote that is open in it.
        var quote: Unicode.Scalar?
    }

    /// Reads a command line of the shell up to the cursor.
    /// - Parameter home: what `~/` at the beginning of a word stands for.
    /// - Returns: nil where only the shell knows the word, since it puts something in.
    static func typed(_ line: some Collection<Unicode.Scalar>, home: String? = nil) -> Typed? {
        var typed = Typed()
        var word = String.UnicodeScalarView()
        var isKnown = true
        var isEscaped = false
        func begin(at index: Int) {
            typed = Typed(start: index)
            word = String.UnicodeScalarView()
            isKnown = true
        }
        for (index, scalar) in line.enumerated() {
            if isEscaped {
                isEscaped = false
                if typed.quote == "\"", !"$`\"\\".unicodeScalars.contains(scalar) {
                    word.append("\\")
                }
                word.append(scalar)
                continue
            }
            switch scalar {
            case "\\" where typed.quote != "'": isEscaped = true
            case "'" where typed.quote != "\"", "\"" where typed.quote != "'":
                typed.quote = typed.quote == nil ? scalar : nil
            case _ where typed.quote == "'": word.append(scalar)
            case "$", "`":
                isKnown = false
                word.append(scalar)
            case _ where typed.quote == nil && separators.contains(scalar): begin(at: index + 1)
            case "/" where index == typed.start + 1 && word.elementsEqual("~".unicodeScalars):
                word = (home ?? "~").unicodeScalars
                word.append(scalar)
            default: word.append(scalar)
            }
        }
        guard isKnown, !isEscaped else { return nil }
        typed.word = String(word)
        return typed
    }

    private static let separators = " \t\n|&;()<>".unicodeScalars

    /// The rest of a word as it has to follow what is typed of it, in the quote that is open.
    /// - Parameter isClosed: whether the word ends with it.
    static func continued(_ rest: String, in quote: Unicode.Scalar?, isClosed: Bool) -> String {
        switch quote {
        case "'": return rest.replacing("'", with: "'\\''") + (isClosed ? "'" : "")
        case .some:
            return escaped(rest) { "$`\"\\".unicodeScalars.contains($0) } + (isClosed ? "\"" : "")
        case nil:
            return escaped(rest) { scalar in
                scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
                    && !"_@%+=:,./-".unicodeScalars.contains(scalar)
            }
        }
    }

    private static func escaped(_ text: String, where isSpecial: (Unicode.Scalar) -> Bool) -> String
    {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isSpecial(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    private static func quoted(_ word: String) -> String {
        "'\(word.replacing("'", with: "'\\''"))'"
    }
}
