import Glibc

/// A child process whose input and output are one channel; what it says on stderr is dropped.
public final class ToolProcess: Sendable {
    public struct Failure: Error {
        public init() {}
    }

    private let identifier: pid_t
    private let channel: Int32

    public init(_ path: String, _ arguments: [String]) throws {
        // A pipe cannot be made and kept from other children in one step here; a socket can.
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, path, &actions, nil, &words, environ)
        close(ends[1])
        channel = ends[0]
        guard code == 0 else { throw Failure() }
        self.identifier = identifier
    }

    deinit {
        close(channel)
    }

    /// Reads up to and with an `end` for which `isRight` holds of all that was read so far.
    public func readOutput(until end: String, isRight: (String) -> Bool) -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(channel, &byte, 1) == 1 {
            text.append(byte)
            guard text.suffix(end.utf8.count).elementsEqual(end.utf8) else { continue }
            let string = String(decoding: text, as: UTF8.self)
            if isRight(string) {
                return string.hasSuffix("\n") ? String(string.dropLast()) : string
            }
        }
        return ""
    }

    public func write(_ bytes: [UInt8]) {
        _ = Glibc.write(channel, bytes, bytes.count)
    }

    /// All output up to the end of the process.
    @discardableResult public func waitForEnd() throws -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(channel, &byte, 1) == 1 { text.append(byte) }
        var status: Int32 = 0
        guard waitpid(identifier, &status, 0) == identifier, status == 0 else {
            throw Failure()
        }
        return String(decoding: text, as: UTF8.self)
    }

    public func kill() {
        _ = Glibc.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }
}
