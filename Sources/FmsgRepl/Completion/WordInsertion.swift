// SPDX-License-Identifier: GPL-3.0-or-later

/// How a word is written into a line in the place of what was typed of it: with the quotes that it
/// needs there.
struct WordInsertion {
    let typed: LineScanner.Typed
    /// What of the word stands before the part that is replaced, without quotes.
    private let kept: String
    /// What stands before the word in the part that is replaced: a sign like `>`.
    private let before: String
    /// Whether the part that is replaced holds the word's beginning.
    private let isWhole: Bool

    /// - Parameters:
    ///   - line: up to the cursor.
    ///   - start: where the part that is replaced begins, in bytes.
    init(_ typed: LineScanner.Typed, line: String, start: Int) {
        self.typed = typed
        let scalars = Array(line.unicodeScalars)
        var bytes = 0
        var index = 0
        while index < scalars.count, bytes < start {
            bytes += String(scalars[index]).utf8.count
            index += 1
        }
        isWhole = index <= typed.start
        var view = String.UnicodeScalarView()
        guard !isWhole else {
            view.append(contentsOf: scalars[index..<typed.start])
            before = String(view)
            kept = ""
            return
        }
        before = ""
        view.append(contentsOf: scalars[typed.start..<index])
        kept =
            typed.place == .shell
            ? ShellWords.typed(view)?.word ?? "" : LineScanner.typed(String(view)).word
    }

    /// What is to be put in; nil when it cannot be.
    /// - Parameter isClosed: whether nothing more of the word follows.
    func text(of word: String, isClosed: Bool, quotes: Bool) -> String? {
        // What a stranger named must not do anything in a line.
        guard word.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return nil
        }
        guard word.utf8.starts(with: kept.utf8) else { return nil }
        let rest = String(decoding: word.utf8.dropFirst(kept.utf8.count), as: UTF8.self)
        return written(rest, isClosed: isClosed, quotes: quotes).map { before + $0 }
    }

    private func written(_ rest: String, isClosed: Bool, quotes: Bool) -> String? {
        if typed.place == .shell {
            let opening = isWhole ? typed.quote.map { String($0) } ?? "" : ""
            return opening + ShellWords.continued(rest, in: typed.quote, isClosed: isClosed)
        }
        switch typed.quote {
        case "'":
            guard !rest.contains("'") else { return nil }
            return (isWhole ? "'" : "") + rest + (isClosed ? "'" : "")
        case .some: return (isWhole ? "\"" : "") + Self.escaped(rest) + (isClosed ? "\"" : "")
        case nil where quotes && isWhole:
            return "\"" + Self.escaped(rest) + (isClosed ? "\"" : "")
        case nil: return rest
        }
    }

    /// Whether a word stands for itself only between quotes.
    static func needsQuotes(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return word.unicodeScalars.contains { " \t|;\\".unicodeScalars.contains($0) }
            || "'\"#!~<>".unicodeScalars.contains(first) || word.contains("=\"")
            || word.contains("='")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
