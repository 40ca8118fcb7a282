import CommandLineTool

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another program, run in the foreground of this one.
enum ChildProcess {
    /// Runs a command, found on PATH, with the standard streams of this process, and waits for it.
    ///
    /// It shares the process group, so what is typed on the terminal (Ctrl-C, Ctrl-\\, Ctrl-Z)
    /// reaches it directly; a signal that is sent to this process alone is passed on to it.
    /// - Returns: its exit status; 128 + N when signal N ended it; 127 when there is no such
    ///   program, 126 when it cannot be run.
    static func run(
        _ command: [String], environment: Environment, signals: SignalWait
    ) throws(ChildError) -> Int32 {
        var pid: pid_t = 0
        let error = spawn(command, environment, &pid)
        guard error == 0 else {
            throw ChildError(program: command.first ?? "", number: error)
        }
        while true {
            switch signals.next() {
            case .child:
                var status: Int32 = 0
                if waitpid(pid, &status, WNOHANG) == pid { return exitStatus(status) }
            case .end(_, isFromTerminal: true): continue
            case .end(let signal, isFromTerminal: false): kill(pid, signal)
            }
        }
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Starts the program with no signal blocked, and SIGPIPE at its default again.
    private static func spawn(
        _ command: [String], _ environment: Environment, _ pid: inout pid_t
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var restored = sigset_t()
        sigemptyset(&restored)
        sigaddset(&restored, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = environment.variables.map { "\($0.key)=\($0.value)" }
        let arguments = command.map { strdup($0) } + [nil]
        let entries = variables.map { strdup($0) } + [nil]
        defer { for string in arguments + entries { free(string) } }
        return posix_spawnp(&pid, command.first ?? "", nil, &attributes, arguments, entries)
    }
}

/// A program that could not be started.
struct ChildError: Error, CustomStringConvertible {
    let program: String
    let number: Int32

    /// What a shell would end with.
    var exitStatus: Int32 { number == ENOENT ? 127 : 126 }

    var description: String { "\(program): \(String(cString: strerror(number)))" }
}
