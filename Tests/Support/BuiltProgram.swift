import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program of this package, run as its users run it.
public final class BuiltProgram: Sendable {
    public enum Failure: Error { case spawn, ended }

    public let pid: pid_t
    private let output: Int32

    /// Starts a program that was built beside the tests, or one by its absolute path, with its standard output in a pipe, no
    /// standard input, and its standard error thrown away.
    public init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)
        guard csystem_pipe(&readEnd, &writeEnd) == 0 else { throw Failure.spawn }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writeEnd, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The thread of a test may have signals blocked, which a program would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = name.hasPrefix("/") ? name : "\(Self.folder)/\(name)"
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let entries = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in words + entries { free(string) } }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, path, &actions, &attributes, words, entries)
        close(writeEnd)
        guard error == 0 else {
            close(readEnd)
            throw Failure.spawn
        }
        self.pid = pid
        output = readEnd
    }

    deinit { close(output) }

    /// The folder that the package's programs are built into.
    public static var folder: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let path = buffer.withUnsafeMutableBytes { bytes -> String in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return ""
            }
            let count = readlink("/proc/self/exe", start, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Whether tests and programs are built for a sanitizer, which needs to write larger files and to
    /// claim more memory than a test may allow.
    public static var isSanitized: Bool {
        dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    }

    /// The folder that `Package.swift` lies in.
    public static var packageFolder: String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    }

    // What waits for the program does so on a thread of its own, so that it holds up none of the few
    // that all tests share.

    /// The next line that the program prints, without its end.
    public func readLine() async throws -> String {
        let line: String? = await onOwnThread { [output] in
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while read(output, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
            return nil
        }
        guard let line else { throw Failure.ended }
        return line
    }

    /// What the program prints from here to its end.
    public func readAll() async -> String {
        await onOwnThread { [output] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(output, &buffer, buffer.count), count > 0 {
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    public func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits for the end and gives the exit status; 128 + N when signal N ended it. To be called
    /// once.
    ///
    /// - Parameter ended: called at the end itself; the caller may go on later, on a busy machine.
    public func wait(ended: @escaping @Sendable () -> Void = {}) async -> Int32 {
        await onOwnThread { [pid] in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            ended()
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }
}
