// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes statements of lines: keeps what goes on on the next line, and the texts after `<<`.
struct LineReader: Sendable {
    /// The most that one statement may take, its text included: more than hosts accept.
    private static let limit = 64 << 20

    /// What a reader waits for.
    enum Wait: Sendable, Equatable {
        case command
        /// The rest of a quoted word, or of a line that ended in a backslash.
        case rest
        /// The lines of a text, up to this one.
        case text(end: String)
    }

    private let home: String?
    private(set) var wait = Wait.command
    /// The lines so far of what is not whole yet.
    private var pending = ""
    private var waiting: [LineScanner.Scanned] = []
    private var whole: [Statement] = []
    private var text: [String] = []
    private var textBytes = 0

    init(home: String? = nil) { self.home = home }

    /// Takes a line in, without its end.
    /// - Returns: the statements that are whole by it; none when more lines are to come.
    /// - Throws: ``LineError``; nothing of the line is kept then.
    mutating func take(_ line: String) throws(LineError) -> [Statement] {
        do throws(LineError) {
            switch wait {
            case .text(let end): return try takeText(line, end)
            case .rest, .command:
                // A backslash before the line end stands for nothing, and takes the end along.
                pending += pending.isEmpty ? line : "\n" + line
                guard pending.utf8.count <= Self.limit else {
                    throw LineError.tooLong(limit: Self.limit)
                }
                return try takeCommands()
            }
        } catch {
            reset()
            throw error
        }
    }

    /// Tells that no line follows.
    /// - Throws: ``LineError`` when something is not whole.
    mutating func finish() throws(LineError) {
        defer { reset() }
        switch wait {
        case .command: return
        case .rest: throw .unclosedQuote
        case .text(let end): throw .unclosedText(end: end)
        }
    }

    /// Forgets what is not whole.
    mutating func reset() { self = LineReader(home: home) }

    private mutating func takeCommands() throws(LineError) -> [Statement] {
        switch try LineScanner.scan(pending, home: home) {
        case .continues:
            wait = .rest
            return []
        case .statements(let scanned):
            pending = ""
            waiting = scanned
            return takeWaiting()
        }
    }

    /// The statements that need no text, up to the first that does.
    private mutating func takeWaiting() -> [Statement] {
        while let first = waiting.first {
            if let end = first.textEnd {
                wait = .text(end: end)
                return []
            }
            whole.append(first.statement)
            waiting.removeFirst()
        }
        defer { reset() }
        return whole
    }

    private mutating func takeText(_ line: String, _ end: String) throws(LineError) -> [Statement] {
        guard line == end else {
            text.append(line)
            textBytes += line.utf8.count + 1
            guard textBytes <= Self.limit else { throw .tooLong(limit: Self.limit) }
            return []
        }
        var statement = waiting.removeFirst().statement
        statement.give(text: text.joined(separator: "\n"))
        whole.append(statement)
        text = []
        textBytes = 0
        return takeWaiting()
    }
}

extension Statement {
    /// Hands a command a text on its standard input; `-` is put where the line has none.
    mutating func give(text: String) {
        input = text
        guard case .command(let words) = action, !words.contains("-") else { return }
        action = .command(words + ["-"])
    }
}
