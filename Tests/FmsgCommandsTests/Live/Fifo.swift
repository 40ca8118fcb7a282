import CommandLineTool
import FmsgHost
import Glibc
import Testing

/// A pipe in a folder, by which a hook or handler and a test tell each other where they are.
final class Fifo: Sendable {
    let folder: TemporaryFolder
    let path: String
    private let descriptor: Int32
    private let input: ByteInput

    init() throws {
        folder = try TemporaryFolder(prefix: "fmsg-test-hook")
        path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        // Open at both ends, so that nobody waits for the other.
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        input = ByteInput(descriptor: descriptor, name: "the pipe")
    }

    deinit {
        close(descriptor)
        folder.remove()
    }

    func nextLine() async throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") { line += try await input.read(atMost: 1) }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    func writeLine(_ text: String) throws {
        try ByteOutput(descriptor: descriptor, name: "the pipe", capacity: 0).writeLine(text)
    }
}
