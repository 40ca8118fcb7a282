import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// All that a command may touch. Nothing reads a global: whatever is not in here does not exist.
public struct Runtime: Sendable {
    /// The arguments after the program's name.
    public var arguments: [String]
    public var environment: Environment
    public var standardInput: ByteInput
    /// Data. It is flushed before the program ends.
    public var standardOutput: ByteOutput
    /// Talk. Each write goes out at once.
    public var standardError: ByteOutput
    public var terminal: TerminalFacts
    public var time: TimeSource
    public var files: any FileSystem
    public var processes: ProcessRunner
    public var signals: Signals
    public var secretPrompt: SecretPrompt
    /// The absolute path of the running program, links resolved; nil when it cannot be told.
    public var executablePath: String?
    private let random: @Sendable (Int) -> [UInt8]

    public init(
        arguments: [String], environment: Environment, standardInput: ByteInput,
        standardOutput: ByteOutput, standardError: ByteOutput, terminal: TerminalFacts,
        time: TimeSource, files: any FileSystem, processes: ProcessRunner, signals: Signals,
        secretPrompt: SecretPrompt, executablePath: String?,
        random: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.arguments = arguments
        self.environment = environment
        self.standardInput = standardInput
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.terminal = terminal
        self.time = time
        self.files = files
        self.processes = processes
        self.signals = signals
        self.secretPrompt = secretPrompt
        self.executablePath = executablePath
        self.random = random
    }

    /// That many bytes that nobody can foresee.
    public func randomBytes(_ count: Int) -> [UInt8] { random(count) }

    /// The program of an external command (see ``ExternalCommand``).
    public func findExternalCommand(_ name: String, program: String) -> String? {
        ExternalCommand.find(
            name, program: program, executablePath: executablePath,
            searchPath: environment["PATH"] ?? "", isExecutable: files.isExecutable)
    }

    /// Flushes the outputs and becomes the external command: on success this never returns.
    /// - Throws: ``OutputError`` or ``ProcessError``.
    public func become(_ program: String, _ arguments: [String]) throws -> Never {
        try standardOutput.flush()
        try processes.replace(with: program, arguments, environment: environment)
    }

    /// Flushes the outputs, runs a program with the standard streams of this process, and gives
    /// its exit code.
    /// - Throws: ``OutputError`` or ``ProcessError``.
    public func runInForeground(_ program: String, _ arguments: [String]) async throws -> ExitCode {
        try standardOutput.flush()
        return ExitCode(
            rawValue: try await processes.run(program, arguments, environment: environment))
    }
}

extension Runtime {
    /// The surroundings of this process. From then on a lost reader is an error of the output,
    /// not a signal that ends the process.
    ///
    /// - Throws: ``UsageError`` when an argument is not UTF-8, naming its position.
    public static func ofProcess() throws(UsageError) -> Runtime {
        csystem_ignore_broken_pipes()
        csystem_keep_children()
        let environment = Environment.ofProcess()
        let terminal = TerminalFacts.ofProcess(environment)
        return Runtime(
            arguments: try processArguments(), environment: environment,
            standardInput: ByteInput(
                descriptor: StandardStream.input.rawValue, name: "standard input"),
            standardOutput: ByteOutput(
                descriptor: StandardStream.output.rawValue, name: "standard output",
                capacity: terminal.isTerminal(.output) ? 0 : 1 << 16),
            standardError: ByteOutput(
                descriptor: StandardStream.error.rawValue, name: "standard error", capacity: 0),
            terminal: terminal, time: .ofSystem, files: LocalFileSystem(),
            processes: .ofSystem, signals: .ofProcess, secretPrompt: SecretPrompt(),
            executablePath: processExecutablePath(),
            random: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in generator.next() }
            })
    }

    private static func processArguments() throws(UsageError) -> [String] {
        try decode(
            (1..<max(1, Int(CommandLine.argc))).map { position in
                guard let argument = CommandLine.unsafeArgv[position] else { return [] }
                let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument))
                return bytes.map(UInt8.init(bitPattern:))
            })
    }

    /// The arguments as text.
    /// - Throws: ``UsageError`` for the first one that is not UTF-8.
    static func decode(_ arguments: [[UInt8]]) throws(UsageError) -> [String] {
        var decoded: [String] = []
        for (index, bytes) in arguments.enumerated() {
            guard let argument = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("argument \(index + 1) is not valid UTF-8")
            }
            decoded.append(argument)
        }
        return decoded
    }

    private static func processExecutablePath() -> String? {
        #if os(Linux)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let bytes = buffer.prefix(count).map(UInt8.init(bitPattern:))
            return String(validating: bytes, as: UTF8.self)
        #else
            return nil
        #endif
    }
}
