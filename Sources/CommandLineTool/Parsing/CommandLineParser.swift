/// Understands a command line by what was declared. It is pure: it reads no file and no
/// environment, and prints nothing.
///
/// Global options may stand anywhere: before, between and after the words of the command and its
/// operands. `--name=value` and `--name value`, `-n20` and `-n 20`, and clusters such as `-qv`
/// all work; `--` ends the options and `-` is an operand. Of an option given twice the last
/// counts, unless it is repeatable.
public struct CommandLineParser: Sendable {
    /// The program's name, as in `fmsg`.
    public let program: String
    public let commands: [CommandDeclaration]
    /// What every command accepts, help and version among them.
    public let globalOptions: [OptionDeclaration]
    /// What there is to read besides the commands; no topic is named as a command is.
    public var topics: [HelpTopic] { readTopics() }
    private let readTopics: @Sendable () -> [HelpTopic]
    let help: OptionDeclaration
    let version: OptionDeclaration?
    /// What words stand for at a prompt; none on a command line of its own.
    public var surroundings = LineSurroundings()

    /// - Parameters:
    ///   - globalOptions: what every command accepts; `help` and `version` are added.
    ///   - topics: read only where they are asked for.
    public init(
        program: String, commands: [CommandDeclaration], globalOptions: [any DeclaredOption],
        help: Option<Bool>, version: Option<Bool>? = nil,
        topics: @autoclosure @escaping @Sendable () -> [HelpTopic] = []
    ) {
        self.program = program
        self.commands = commands
        readTopics = topics
        self.help = help.declaration
        self.version = version?.declaration
        self.globalOptions =
            globalOptions.map(\.declaration) + [help.declaration]
            + (version.map { [$0.declaration] } ?? [])
    }

    /// What a command line asks for.
    public enum Request: Sendable {
        /// A built-in command.
        case run(Invocation)
        /// The help of a command, of all commands that begin with the words, or the overview
        /// when there are none. It is whole for the long option and brief for the letter.
        case help(command: [String], isWhole: Bool)
        case version
        /// The program of an external command, with the arguments to hand on.
        case external(path: String, arguments: [String])
    }

    /// Understands `arguments`, the program's own name not among them.
    ///
    /// - Parameter external: finds the program of an external command by its name. It is asked
    ///   only for a first word that no built-in command has.
    /// - Throws: ``UsageError`` for whatever does not fit the declarations.
    public func parse(
        _ arguments: [String], external: (String) -> String? = { _ in nil }
    ) throws(UsageError) -> Request {
        guard !arguments.isEmpty else { return .help(command: [], isWhole: false) }
        var reader = ArgumentReader(arguments)
        var path: [String] = []
        var isPathWhole = false
        var occurrences: [Invocation.Occurrence] = []
        var words: [String] = []

        while let argument = reader.next() {
            let found = command(path)
            switch reader.role(of: argument, numbersAreOperands: found?.acceptsNegativeNumbers) {
            case .endOfOptions:
                isPathWhole = found != nil
            case .option:
                let given = try readOption(argument, &reader, of: found, path)
                if let request = request(by: given, argument, path, reader) { return request }
                isPathWhole = isPathWhole || given.contains { !isGlobal($0.long) }
                occurrences += given
            case .word where !isPathWhole && words.isEmpty && begins(path + [argument]):
                path.append(argument)
                if command(path)?.isExternal == true {
                    return try handOn(argument, reader, external)
                }
            case .word where found == nil:
                guard path.isEmpty, external(argument) != nil else {
                    throw unknownCommand(path, argument)
                }
                return try handOn(argument, reader, external)
            case .word:
                words.append(argument)
            }
        }
        guard let found = command(path) else { throw missingCommand(path) }
        let operands = try assign(words, to: found)
        return .run(Invocation(command: found, occurrences: occurrences, operands: operands))
    }

    /// Whether an option stands on a line that may not be understood otherwise: what decides
    /// how the usage error itself is shown. Its letter counts only by itself.
    public func mentions(_ option: any DeclaredOption, in arguments: [String]) -> Bool {
        let option = option.declaration
        let forms = [option.flag] + (option.short.map { ["-\($0)"] } ?? [])
        return arguments.prefix { $0 != "--" }.contains(where: forms.contains)
    }

    /// The command of exactly these words.
    public func command(_ path: [String]) -> CommandDeclaration? {
        commands.first { $0.path == path }
    }

    /// Whether a command begins with these words.
    func begins(_ path: [String]) -> Bool {
        commands.contains { $0.path.starts(with: path) }
    }

    func isGlobal(_ long: String) -> Bool { globalOptions.contains { $0.long == long } }

    /// Help or the version, when one of the options just read asks for it.
    private func request(
        by given: [Invocation.Occurrence], _ argument: String, _ path: [String],
        _ reader: ArgumentReader
    ) -> Request? {
        if given.contains(where: { $0.long == help.long }) {
            var path = path
            for word in reader.rest {
                guard begins(path + [word]) else { break }
                path.append(word)
            }
            return .help(command: path, isWhole: argument.utf8.starts(with: "--".utf8))
        }
        return given.contains { $0.long == version?.long } ? .version : nil
    }

    /// Hands the whole line, but for the command's name, to the program of an external command.
    private func handOn(
        _ name: String, _ reader: ArgumentReader, _ external: (String) -> String?
    ) throws(UsageError) -> Request {
        guard let path = external(name) else {
            throw UsageError(
                "\(program)-\(name) is not installed",
                hint: "it is looked for beside \(program) and on PATH", command: [name])
        }
        return .external(path: path, arguments: reader.allButLast)
    }
}
