/// What a command is, said once: the parser, the help, the manual and the completions all come
/// from it.
public struct CommandDeclaration: Sendable {
    /// The words that name it: `["inbox"]`, `["draft", "create"]`.
    public let path: [String]
    public let group: CommandGroup
    /// One line of fewer than 60 characters, without a full stop.
    public let summary: String
    /// Paragraphs, parted by empty lines.
    public let description: String
    public let options: [OptionDeclaration]
    public let operands: [OperandDeclaration]
    /// The codes it ends with besides ``ExitCode/done``, ``ExitCode/failed`` and
    /// ``ExitCode/usage``, which every command has.
    public let exitCodes: [ExitCode]
    public let examples: [Example]
    /// The shape that `--json` prints; nil when there is none.
    public let output: String?
    /// Words of other programs for the same, by which it is found when somebody tries them. They
    /// are no names of it.
    public let alike: [String]
    /// Whether a program of its own (`fmsg-host`) does the work. It is declared for the help
    /// alone: all arguments after the name are handed on as they are.
    public private(set) var isExternal: Bool
    /// The long names of the options that let it end by itself; nil when it always does.
    public let endings: [String]?

    /// - Parameters:
    ///   - name: the words of the name, parted by single spaces.
    ///   - endlessUnless: for a command that goes on until it is stopped, the options that let it
    ///     end by itself.
    public init(
        _ name: String, group: CommandGroup, summary: String, description: String = "",
        options: [any DeclaredOption] = [], operands: [any DeclaredOperand] = [],
        exitCodes: [ExitCode] = [], examples: [Example] = [], output: String? = nil,
        alike: [String] = [], isExternal: Bool = false,
        endlessUnless endings: [any DeclaredOption]? = nil
    ) {
        path = name.split(separator: " ").map(String.init)
        self.group = group
        self.summary = summary
        self.description = description
        self.options = options.map(\.declaration)
        self.operands = operands.map(\.declaration)
        self.exitCodes = exitCodes
        self.examples = examples
        self.output = output
        self.alike = alike
        self.isExternal = isExternal
        self.endings = endings?.map(\.declaration.long)
    }

    /// The name as it is typed: `draft create`.
    public var name: String { path.joined(separator: " ") }

    /// The same command for the program that does its work.
    public var builtIn: CommandDeclaration {
        var command = self
        command.isExternal = false
        return command
    }

    /// Whether only another program knows what can follow its name.
    public var isAllExternal: Bool { isExternal && options.isEmpty && operands.isEmpty }

    /// Every code that it can end with, in order.
    var allExitCodes: [ExitCode] {
        let codes = Set([.done, .failed, .usage] + exitCodes)
        return ExitCode.all.filter(codes.contains)
    }

    /// Whether `-1` is an operand here: where a message is named, or a text given.
    var acceptsNegativeNumbers: Bool {
        operands.contains {
            $0.kind == .messageReference || $0.kind == .draftReference
                || $0.kind == .recipientOrText
        }
    }
}

/// A command line worth copying, with what it does.
public struct Example: Sendable, Equatable {
    /// The whole line as it is typed, the program's name included.
    public let command: String
    public let explanation: String

    public init(_ command: String, _ explanation: String) {
        self.command = command
        self.explanation = explanation
    }
}

/// Where a command stands in the overview.
public enum CommandGroup: String, Sendable, CaseIterable {
    case identity
    case read
    case write
    case live
    case grants
    case host
    case help

    public var title: String {
        switch self {
        case .identity: "Identity"
        case .read: "Read"
        case .write: "Write"
        case .live: "Live"
        case .grants: "Grants"
        case .host: "Host"
        case .help: "Help"
        }
    }
}
