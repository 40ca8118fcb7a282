import Glibc
import TestSupport

/// A TLS server with a certificate made for the occasion: `openssl s_server`.
final class TLSServer: Sendable {
    struct Failure: Error {}

    /// Whether the tool is there.
    static let isAvailable = access(tool, X_OK) == 0

    let port: UInt16
    /// The server's certificate, in PEM, which signed itself.
    let certificateFile: String
    /// A directory that holds the certificate under its hash.
    let certificateDirectory: String
    private let process: ToolProcess
    private let folder: String

    var url: String { "https://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - name: what the certificate is for, such as "IP:127.0.0.1".
    ///   - options: "-www" for a page at each request; without it ``write(_:)`` answers.
    init(for name: String = "IP:127.0.0.1", options: [String] = ["-www"]) throws {
        let template = "/tmp/fmsg-tls-XXXXXX"
        folder = try template.withCString { template in
            guard let copy = strdup(template) else { throw Failure() }
            defer { free(copy) }
            guard let made = mkdtemp(copy) else { throw Failure() }
            return String(cString: made)
        }
        let key = folder + "/key.pem"
        certificateFile = folder + "/certificate.pem"
        certificateDirectory = folder + "/hashed"
        try ToolProcess(
            Self.tool,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=fmsg test", "-addext",
                "subjectAltName=\(name)", "-keyout", key, "-out", certificateFile,
            ]
        ).waitForEnd()
        let hash = try ToolProcess(
            Self.tool, ["x509", "-noout", "-hash", "-in", certificateFile]
        ).waitForEnd().prefix { $0.isHexDigit }
        mkdir(certificateDirectory, 0o700)
        symlink(certificateFile, "\(certificateDirectory)/\(hash).0")

        process = try ToolProcess(
            Self.tool,
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificateFile, "-key", key] + options)
        let line = process.readOutput(until: "\n") { $0.contains("ACCEPT") }
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw Failure()
        }
        self.port = port
    }

    deinit {
        process.kill()
        unlink("\(folder)/key.pem")
        unlink(certificateFile)
        if let hashed = opendir(certificateDirectory) {
            while let entry = readdir(hashed) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                        String(cString: $0)
                    }
                }
                unlink("\(certificateDirectory)/\(name)")
            }
            closedir(hashed)
        }
        rmdir(certificateDirectory)
        rmdir(folder)
    }

    /// What clients sent, among the tool's own talk, up to `end`.
    func readOutput(until end: String) async -> String {
        let process = process
        return await withCheckedContinuation { continuation in
            startThread {
                continuation.resume(returning: process.readOutput(until: end) { _ in true })
            }
        }
    }

    /// Sends to the client.
    func write(_ bytes: [UInt8]) {
        process.write(bytes)
    }

    private static let tool = "/usr/bin/openssl"
}

/// A child process whose input and output are one channel; what it says on stderr is dropped.
final class ToolProcess: Sendable {
    private let identifier: pid_t
    private let channel: Int32

    init(_ path: String, _ arguments: [String]) throws {
        // A pipe cannot be made and kept from other children in one step here; a socket can.
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TLSServer.Failure() }
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
        guard code == 0 else { throw TLSServer.Failure() }
        self.identifier = identifier
    }

    deinit {
        close(channel)
    }

    /// Reads up to and with an `end` for which `isRight` holds of all that was read so far.
    func readOutput(until end: String, isRight: (String) -> Bool) -> String {
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

    func write(_ bytes: [UInt8]) {
        _ = Glibc.write(channel, bytes, bytes.count)
    }

    /// All output up to the end of the process.
    @discardableResult func waitForEnd() throws -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(channel, &byte, 1) == 1 { text.append(byte) }
        var status: Int32 = 0
        guard waitpid(identifier, &status, 0) == identifier, status == 0 else {
            throw TLSServer.Failure()
        }
        return String(decoding: text, as: UTF8.self)
    }

    func kill() {
        _ = Glibc.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }
}
