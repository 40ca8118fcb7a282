// SPDX-License-Identifier: GPL-3.0-or-later

/// One command of a line, understood as far as the line's own language goes.
struct Statement: Sendable, Equatable {
    /// Where what it prints goes.
    enum Output: Sendable, Equatable {
        case standard
        /// To the standard input of a shell command.
        case pipe(String)
        case file(String, appends: Bool)
    }

    enum Action: Sendable, Equatable {
        /// The words of a command of the suite.
        case command([String])
        /// A command line for the shell; an empty one is the shell itself.
        case shell(String)
    }

    var action: Action
    var output = Output.standard
    /// The lines that were given with `<<`, as one text.
    var input: String?
}

/// What is wrong with a line, whatever its commands are.
enum LineError: Error, Sendable, Equatable, CustomStringConvertible {
    case missingCommand(before: String)
    case missingShellCommand
    case missingFile
    case twoOutputs
    case twoInputs
    case textAfterFile(String)
    case unclosedQuote
    case unclosedText(end: String)
    case tooLong(limit: Int)

    var description: String {
        switch self {
        case .missingCommand(let sign): "there is no command before \(sign)"
        case .missingShellCommand: "there is no shell command after |"
        case .missingFile: "there is no file after >"
        case .twoOutputs: "the output can go to one place only"
        case .twoInputs: "only one text can be given with <<"
        case .textAfterFile(let word): "\(word): the file is the last word of a command"
        case .unclosedQuote: "a quote is not closed"
        case .unclosedText(let end): "the text after << does not end with a line \(end)"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        }
    }
}
