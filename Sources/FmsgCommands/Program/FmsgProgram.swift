import CommandLineTool
import FmsgCore

/// The program `fmsg`: a line of arguments in, an exit code out.
public struct FmsgProgram: Sendable {
    package static let name = "fmsg"
    static let about = """
        fmsg: messages between people, businesses and agents

        New here? "fmsg help tutorial" has the first steps, which need no account.
        """

    /// What it is, for the manual.
    public static let description = """
        fmsg is to the fmsg messaging protocol what git is to version control: one program for \
        people at a terminal, for scripts, and for programs that answer messages. Addresses look \
        like @user@domain; messages form threads; each person or agent has an account at a host.

        Begin with fmsg-tutorial(7). Without an account, "fmsg host demo" opens a shell on a \
        throw-away host with three users. With one, "fmsg login" keeps its key.

        Global options may stand anywhere on the line. A NAME that is no command runs the program \
        fmsg-NAME, which is looked for beside fmsg and then on PATH.
        """

    /// What is declared of the program: from it come its help, manual and completions.
    public static let parser = parser(of: CommandTable.all.map { $0.declaration })

    let runtime: Runtime
    let makeTransport: TransportFactory
    let parser: CommandLineParser
    private let transportVersion: @Sendable () -> String?
    private let commands: [RunnableCommand]
    private let session: CommandSession?

    /// - Parameters:
    ///   - transportVersion: what carries requests, for `--version --verbose`; nil when it cannot
    ///     be loaded.
    ///   - makeTransport: makes what carries requests; called only by a command that makes one.
    public init(
        runtime: Runtime, transportVersion: @escaping @Sendable () -> String? = { nil },
        makeTransport: @escaping TransportFactory
    ) {
        self.init(
            runtime: runtime, commands: CommandTable.runnable, session: nil,
            transportVersion: transportVersion, makeTransport: makeTransport)
    }

    /// One line of several, or a program with other commands.
    /// - Parameters:
    ///   - commands: all that there are.
    ///   - session: what the lines have in common.
    package init(
        runtime: Runtime, commands: [RunnableCommand], session: CommandSession?,
        transportVersion: @escaping @Sendable () -> String? = { nil },
        makeTransport: @escaping TransportFactory
    ) {
        self.runtime = runtime
        self.transportVersion = transportVersion
        self.makeTransport = makeTransport
        parser = Self.parser(of: commands.map(\.declaration), session?.surroundings)
        self.commands = commands
        self.session = session
    }

    /// Understands the line, does what it says, and reports what went wrong. What was written
    /// has reached its reader when this returns ``ExitCode/done``.
    public func run() async -> ExitCode {
        if runtime.arguments.first == CompletionRequest.marker {
            await complete()
            return .done
        }
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
            try runtime.standardOutput.writeLine(FmsgVersion.line(Self.name))
            if parser.mentions(GlobalOptions.verbose, in: runtime.arguments) {
                try runtime.standardOutput.writeLine(
                    transportVersion() ?? "no libcurl that can be used: install libcurl4")
            }
            return .done
        case .help(let command, let isWhole):
            let page = HelpPage(parser, about: Self.about, for: runtime)
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

extension FmsgProgram {
    /// The parser of the suite for some commands.
    package static func parser(
        of commands: [CommandDeclaration], _ surroundings: LineSurroundings? = nil
    ) -> CommandLineParser {
        var parser = CommandLineParser(
            program: name, commands: commands, globalOptions: GlobalOptions.all,
            help: GlobalOptions.help, version: GlobalOptions.version, topics: Topics.all)
        parser.surroundings = surroundings ?? LineSurroundings()
        return parser
    }
}
