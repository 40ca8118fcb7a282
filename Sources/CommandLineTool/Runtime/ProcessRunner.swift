import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a program could not be run.
public struct ProcessError: Error, Sendable, Equatable, CustomStringConvertible {
    public let program: String
    public let reason: SystemError

    public init(program: String, reason: SystemError) {
        self.program = program
        self.reason = reason
    }

    public var description: String {
        "cannot run \(DisplayText.escape(program)): \(reason)"
    }
}

/// Runs other programs. They are named by path; only a ``Handler`` goes through a shell.
public struct ProcessRunner: Sendable {
    public typealias Run =
        @Sendable (_ program: String, _ arguments: [String], _ environment: Environment)
        async
        throws(ProcessError) -> Int32
    public typealias Replace =
        @Sendable (_ program: String, _ arguments: [String], _ environment: Environment)
        throws(ProcessError) -> Never
    public typealias Detach =
        @Sendable (_ program: String, _ arguments: [String], _ environment: Environment)
        throws(ProcessError) -> Void
    public typealias Handle =
        @Sendable (_ handler: Handler) async throws(ProcessError) -> HandlerOutcome

    private let runProgram: Run
    private let runTerminalProgram: Run
    private let replaceProcess: Replace
    private let runHandler: Handle
    private let startDetached: Detach

    /// Real processes, but for what is given.
    public init(
        run: @escaping Run = Self.runOnSystem,
        runOnTerminal: @escaping Run = Self.runOnTerminalOfSystem,
        replace: @escaping Replace = Self.replaceOnSystem,
        handle: @escaping Handle = HandlerProcess.run,
        detach: @escaping Detach = Self.detachOnSystem
    ) {
        runProgram = run
        runTerminalProgram = runOnTerminal
        replaceProcess = replace
        runHandler = handle
        startDetached = detach
    }

    /// Real processes.
    public static var ofSystem: ProcessRunner { ProcessRunner() }

    /// Runs `program` with the standard streams of this process, and waits for it. When the task
    /// is cancelled the program is asked to end (SIGTERM), and is still waited for.
    ///
    /// - Parameter arguments: those after the program's own name.
    /// - Returns: its exit status; 128 + N when signal N ended it.
    public func run(
        _ program: String, _ arguments: [String], environment: Environment
    ) async throws(ProcessError) -> Int32 {
        try await runProgram(program, arguments, environment)
    }

    /// The same for a program that has the terminal, such as an editor: what is typed to interrupt
    /// it does not end this process.
    public func runOnTerminal(
        _ program: String, _ arguments: [String], environment: Environment
    ) async throws(ProcessError) -> Int32 {
        try await runTerminalProgram(program, arguments, environment)
    }

    /// Runs a hook or handler to its end, whichever of its limits that is. When it returns, no
    /// process of the handler's group is left; cancelling the task ends them too.
    ///
    /// - Throws: ``ProcessError`` when it could not be started.
    public func run(_ handler: Handler) async throws(ProcessError) -> HandlerOutcome {
        try await runHandler(handler)
    }

    /// Becomes `program`: on success this process is no more. Flush the outputs first.
    public func replace(
        with program: String, _ arguments: [String], environment: Environment
    ) throws(ProcessError) -> Never {
        try replaceProcess(program, arguments, environment)
    }

    /// Starts `program` in a session of its own, without streams, and does not wait for it: it
    /// goes on when this process is gone.
    public func start(
        detached program: String, _ arguments: [String], environment: Environment
    ) throws(ProcessError) {
        try startDetached(program, arguments, environment)
    }

    @Sendable public static func runOnSystem(
        _ program: String, _ arguments: [String], _ environment: Environment
    ) async throws(ProcessError) -> Int32 {
        var pid: pid_t = 0
        let error = withCStrings([program] + arguments, environment.entries) {
            csystem_spawn(program, $0, $1, &pid)
        }
        guard error == 0 else {
            throw ProcessError(program: program, reason: SystemError(number: error))
        }
        let child = Child(pid)
        return await withTaskCancellationHandler {
            await onOwnThread { child.wait() }
        } onCancel: {
            child.terminate()
        }
    }

    @Sendable public static func runOnTerminalOfSystem(
        _ program: String, _ arguments: [String], _ environment: Environment
    ) async throws(ProcessError) -> Int32 {
        csystem_ignore_interrupts()
        defer { csystem_heed_interrupts() }
        return try await runOnSystem(program, arguments, environment)
    }

    @Sendable public static func replaceOnSystem(
        _ program: String, _ arguments: [String], _ environment: Environment
    ) throws(ProcessError) -> Never {
        let error = withCStrings([program] + arguments, environment.entries) {
            csystem_execute(program, $0, $1)
        }
        throw ProcessError(program: program, reason: SystemError(number: error))
    }

    @Sendable public static func detachOnSystem(
        _ program: String, _ arguments: [String], _ environment: Environment
    ) throws(ProcessError) {
        let error = withCStrings([program] + arguments, environment.entries) {
            csystem_spawn_detached(program, $0, $1)
        }
        guard error == 0 else {
            throw ProcessError(program: program, reason: SystemError(number: error))
        }
    }
}

/// A process that was started here and is not reaped yet.
final class Child: Sendable {
    private let pid: pid_t
    private let isReaped = Mutex(false)

    init(_ pid: pid_t) { self.pid = pid }

    /// Its exit status, once it has ended.
    func wait() -> Int32 {
        csystem_await_exit(pid)
        return isReaped.withLock { isReaped in
            isReaped = true
            var signal: Int32 = 0
            return csystem_reap(pid, &signal)
        }
    }

    /// Sends SIGTERM, unless the pid may be another process's by now.
    func terminate() {
        isReaped.withLock { isReaped in
            if !isReaped { _ = kill(pid, SIGTERM) }
        }
    }
}

/// Lends two lists of C strings, each ended by a null pointer. A string ends at a NUL within it.
func withCStrings<Result>(
    _ first: [String], _ second: [String],
    _ body: (
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Result
) -> Result {
    var first: [UnsafeMutablePointer<CChar>?] = first.map { strdup($0) } + [nil]
    var second: [UnsafeMutablePointer<CChar>?] = second.map { strdup($0) } + [nil]
    defer { for string in first + second { free(string) } }
    return body(&first, &second)
}
