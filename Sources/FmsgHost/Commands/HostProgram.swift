import CommandLineTool
import FmsgCore

/// The program `fmsg-host`, which is `fmsg host`.
public enum HostProgram {
    static let json = Option.flag("json", "Print data and errors as JSON")
    static let quiet = Option.flag("quiet", short: "q", "Say nothing on stderr but errors")
    static let help = Option.flag("help", short: "h", "Show help: -h in brief, --help in full")
    static let version = Option.flag("version", "Show the version")
    private static let about = "fmsg-host: an fmsg host for one domain"

    /// What it is, for the manual.
    public static let description = """
        fmsg-host serves the fmsg web API for the users of one domain, out of a folder, on a \
        machine of your own. It is also called as "fmsg host". To try fmsg without an account, \
        "fmsg host demo" opens a shell on a host that is gone when the shell ends.
        """

    /// What is declared of the program: from it come its help, manual and completions.
    public static let parser = CommandLineParser(
        program: "fmsg-host",
        commands: [
            RunCommand.declaration, UserAddCommand.declaration, UserListCommand.declaration,
            TokenCommand.declaration, DemoCommand.declaration, helpDeclaration,
        ],
        globalOptions: [json, quiet], help: help, version: version)

    private static let helpDeclaration = HelpDeclaration.command(examples: [
        Example("fmsg-host help", "All commands"), Example("fmsg-host help run", "One of them"),
    ])

    /// Does what the command line of this process asks for and gives the exit code. To be called
    /// by the main thread before there is any other.
    public static func run() -> Int32 {
        let signals = SignalWait()
        do throws(UsageError) {
            return run(try .ofProcess(), signals)
        } catch {
            let stream = ByteOutput(descriptor: 2, name: "standard error", capacity: 0)
            try? stream.writeLine("fmsg-host: \(error.message)")
            return ExitCode.usage.rawValue
        }
    }

    private static func run(_ runtime: Runtime, _ signals: SignalWait) -> Int32 {
        if runtime.arguments.first == CompletionRequest.marker {
            complete(runtime)
            return ExitCode.done.rawValue
        }
        do {
            let code = try perform(runtime, signals)
            try runtime.standardOutput.flush()
            return code
        } catch {
            report(error, runtime)
            return exitCode(of: error).rawValue
        }
    }

    /// Answers a shell that completes a line, and never says what went wrong.
    private static func complete(_ runtime: Runtime) {
        guard let request = CompletionRequest(runtime.arguments) else { return }
        let answer = request.answer(parser.completion(of: request.words))
        try? runtime.standardOutput.write(answer)
        try? runtime.standardOutput.flush()
    }

    private static func perform(_ runtime: Runtime, _ signals: SignalWait) throws -> Int32 {
        switch try parser.parse(runtime.arguments) {
        case .help(let command, let isWhole):
            try showHelp(command, isWhole: isWhole, runtime)
            if runtime.arguments.isEmpty { return ExitCode.usage.rawValue }
        case .run(let invocation):
            let call = HostCall(invocation: invocation, runtime: runtime, signals: signals)
            switch invocation.command.name {
            case RunCommand.declaration.name: try RunCommand.run(call)
            case UserAddCommand.declaration.name: try UserAddCommand.run(call)
            case UserListCommand.declaration.name: try UserListCommand.run(call)
            case TokenCommand.declaration.name: try TokenCommand.run(call)
            case DemoCommand.declaration.name: return try DemoCommand.run(call)
            default: try showHelp(try invocation[HelpDeclaration.words], isWhole: true, runtime)
            }
        case .version: try runtime.standardOutput.writeLine(FmsgVersion.line(parser.program))
        case .external: break
        }
        return ExitCode.done.rawValue
    }

    private static func showHelp(_ words: [String], isWhole: Bool, _ runtime: Runtime) throws {
        let page = HelpPage(parser, about: about, for: runtime)
        try runtime.standardOutput.write(try page.render(words, isWhole: isWhole))
    }

    private static func report(_ error: any Error, _ runtime: Runtime) {
        let usage = error as? UsageError
        let message = usage?.message ?? "\(error)"
        guard parser.mentions(json, in: runtime.arguments) else {
            let hint = usage?.hint.map { "; \($0)" } ?? ""
            try? runtime.standardError.writeLine("fmsg-host: \(DisplayText.escape(message))\(hint)")
            return
        }
        var fields: JSONObject = [
            Field.code: .string(code(of: error)), "message": .string(message),
            "retryable": .bool(false),
        ]
        if let hint = usage?.hint { fields["hint"] = .string(hint) }
        let line: JSON = .object([Field.error: .object(fields)])
        try? runtime.standardError.writeLine(line.text)
    }

    private static func code(of error: any Error) -> String {
        switch error {
        case is UsageError: "usage"
        case let error as HostError where error.kind == .inUse: "in_use"
        default: "failed"
        }
    }

    private static func exitCode(of error: any Error) -> ExitCode {
        switch error {
        case is UsageError: .usage
        case let error as OutputError: error.exitCode
        case let error as ChildError: ExitCode(rawValue: error.exitStatus)
        default: .failed
        }
    }
}

/// What a command of the host is called with.
struct HostCall {
    let invocation: Invocation
    let runtime: Runtime
    let signals: SignalWait

    var isJSON: Bool { invocation[HostProgram.json] }

    /// Prints one record: as JSON, or as `text`.
    func print(_ record: JSONObject, text: String) throws {
        try runtime.standardOutput.writeLine(
            isJSON ? JSON.object(record).text : text, flush: true)
    }

    /// Says something to a person, unless told to be quiet.
    func say(_ line: String) {
        guard !invocation[HostProgram.quiet] else { return }
        // Talk that nobody hears is no failure.
        try? runtime.standardError.writeLine("fmsg-host: \(DisplayText.escape(line))")
    }

    /// The data folder of `--data`, else the one of the user.
    func dataFolder() throws(UsageError) -> String {
        if let folder = invocation[DataFolder.option] { return folder }
        guard let folder = DataFolder.standard(runtime.environment) else {
            throw invocation.usageError(
                "there is no home folder to keep data in", hint: "name a folder with --data")
        }
        return folder
    }

    /// The same for what makes no data.
    func existingDataFolder() throws -> String {
        let folder = try dataFolder()
        guard Files.isFolder(folder) else {
            throw HostError(.dataFolder, "there is no data folder \(folder)")
        }
        return folder
    }
}

/// Where the data of a host lies.
enum DataFolder {
    static let option = Option.value(
        "data", .folder,
        "The folder of the host's data (default: $FMSG_HOST_DATA, else ~/.local/share/fmsg-host)")
    static let variable = "FMSG_HOST_DATA"

    static func standard(_ environment: Environment) -> String? {
        if let folder = environment[variable], !folder.isEmpty { return folder }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return folder + "/fmsg-host"
        }
        return environment["HOME"].map { $0 + "/.local/share/fmsg-host" }
    }
}
