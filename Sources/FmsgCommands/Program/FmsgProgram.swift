import CommandLineTool
import FmsgCore

/// The program `fmsg`: a line of arguments in, an exit code out.
public struct FmsgProgram: Sendable {
    package static let name = "fmsg"

    private let runtime: Runtime
    private let makeTransport: TransportFactory
    private let commands: [RunnableCommand]
    private let session: CommandSession?
    private let parser: CommandLineParser

    /// - Parameter makeTransport: makes what carries requests; called only by a command that
    ///   makes one.
    public init(runtime: Runtime, makeTransport: @escaping TransportFactory) {
        self.init(
            runtime: runtime, commands: CommandTable.runnable, session: nil,
            makeTransport: makeTransport)
    }

    /// One line of several.
    /// - Parameters:
    ///   - commands: all that there are.
    ///   - session: what the lines have in common.
    package init(
        runtime: Runtime, commands: [RunnableCommand], session: CommandSession?,
        makeTransport: @escaping TransportFactory
    ) {
        self.runtime = runtime
        self.makeTransport = makeTransport
        self.commands = commands
        self.session = session
        parser = .ofFmsg(commands.map(\.declaration), session?.surroundings ?? LineSurroundings())
    }

    /// Understands the line, does what it says, and reports what went wrong. What was written
    /// has reached its reader when this returns ``ExitCode/done``.
    public func run() async -> ExitCode {
        do {
            let exitCode = try await perform(try understood())
            try runtime.standardOutput.flush()
            return exitCode
        } catch {
            return report(error)
        }
    }

    /// Says why there is no program to run: its arguments cannot be read.
    public static func refuse(_ error: UsageError) -> ExitCode {
        let report = ErrorReport(error)
        let standardError = ByteOutput(
            descriptor: StandardStream.error.rawValue, name: "standard error", capacity: 0)
        // Without a reader for errors the exit code still tells.
        try? standardError.writeLine(report.line(program: name))
        return report.exitCode
    }

    /// What the line asks for; nothing is done yet.
    package func understood() throws(UsageError) -> CommandLineParser.Request {
        try parser.parse(runtime.arguments) { name in
            runtime.findExternalCommand(name, program: Self.name)
        }
    }

    private func perform(_ request: CommandLineParser.Request) async throws -> ExitCode {
        switch request {
        case .version:
            try runtime.standardOutput.writeLine("\(Self.name) \(FmsgVersion.number)")
            return .done
        case .help(let command, let isWhole):
            let page = HelpPage.ofFmsg(parser, for: runtime, color: .auto)
            try runtime.standardOutput.write(try page.render(command, isWhole: isWhole))
            return command.isEmpty && runtime.arguments.isEmpty ? .usage : .done
        case .external(let path, let arguments): return try await handOn(path, arguments)
        case .run(let invocation):
            guard
                let command = commands.first(where: {
                    $0.declaration.path == invocation.command.path
                })
            else { return .usage }
            let context = CommandContext(
                runtime: runtime, invocation: invocation, parser: parser,
                makeTransport: makeTransport, session: session)
            try command.check(invocation, context.wantsJSON)
            return try await command.run(invocation, context)
        }
    }

    /// Becomes another program, or runs it where there are lines to come.
    private func handOn(_ path: String, _ arguments: [String]) async throws -> ExitCode {
        guard session != nil else { try runtime.become(path, arguments) }
        return try await runtime.runInForeground(path, arguments)
    }

    /// Says what went wrong.
    package func report(_ error: any Error) -> ExitCode {
        let report = ErrorReport(error)
        // What was printed before the failure still belongs to the reader.
        try? runtime.standardOutput.flush()
        // A reader that leaves is no failure, unless it leaves something unsaid.
        guard report.exitCode != .readerGone || report.messageId != nil else {
            return report.exitCode
        }
        let isJSON =
            parser.mentions(GlobalOptions.json, in: runtime.arguments)
            || parser.mentions(GlobalOptions.jsonLines, in: runtime.arguments)
        // Without a reader for errors the exit code still tells.
        try? runtime.standardError.writeLine(
            isJSON ? report.json.text : report.line(program: Self.name))
        return report.exitCode
    }
}

extension CommandLineParser {
    /// The parser of the suite for some commands.
    package static func ofFmsg(
        _ commands: [CommandDeclaration], _ surroundings: LineSurroundings = LineSurroundings()
    ) -> CommandLineParser {
        var parser = CommandLineParser(
            program: FmsgProgram.name, commands: commands, globalOptions: GlobalOptions.all,
            help: GlobalOptions.help, version: GlobalOptions.version)
        parser.surroundings = surroundings
        return parser
    }
}

extension HelpPage {
    package static func ofFmsg(
        _ parser: CommandLineParser, for runtime: Runtime, color: ColorChoice
    ) -> HelpPage {
        let isTerminal = runtime.terminal.isTerminal(.output)
        return HelpPage(
            parser, about: "fmsg: messages between people, businesses and agents",
            width: isTerminal ? runtime.terminal.columns : 80,
            style: .decide(color, runtime.environment, isTerminal: isTerminal))
    }
}
