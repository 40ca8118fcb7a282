import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A shell command that reads what a command prints, and has the terminal together with it.
package final class PipedCommand: Sendable {
    private static let shell = "/bin/sh"

    private let child: Child
    /// What it reads is written here; nil once that is closed.
    private let writeEnd: Mutex<Int32?>
    /// What it reads.
    package let output: ByteOutput

    /// Starts it.
    package init(_ command: String, environment: Environment) throws(ProcessError) {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        var pid: pid_t = 0
        var error: Int32 = csystem_pipe(&ends.read, &ends.write) == 0 ? 0 : errno
        if error == 0 {
            error = withCStrings(["sh", "-c", command], environment.entries) {
                csystem_spawn_reading(Self.shell, $0, $1, ends.read, &pid)
            }
            close(ends.read)
            if error != 0 { close(ends.write) }
        }
        guard error == 0 else {
            throw ProcessError(program: Self.shell, reason: SystemError(number: error))
        }
        child = Child(pid)
        writeEnd = Mutex(ends.write)
        output = ByteOutput(descriptor: ends.write, name: "the pipe")
    }

    /// Ends its input, waits until it has ended, and gives its exit status; 128 + N when signal N
    /// ended it. Its output must be flushed before, and is of no use after.
    package func end() async -> Int32 {
        closeInput()
        return await onOwnThread { [child] in child.wait() }
    }

    deinit { closeInput() }

    private func closeInput() {
        writeEnd.withLock { end in
            if let end { close(end) }
            end = nil
        }
    }
}
