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

    private static func quoted(_ word: String) -> String {
        "'\(word.replacing("'", with: "'\\''"))'"
    }
}
