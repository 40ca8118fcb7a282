import CommandLineTool
import FmsgCommands
import FmsgTransport
import Glibc
import TestSupport
import Testing

/// A command under way, whose stdout is a real pipe that is read line by line.
final class RunningCommand: Sendable {
    private let task: Task<ExitCode, Never>
    private let standardError: ByteOutput
    private let input: ByteInput
    private let descriptor: Int32

    fileprivate init(_ line: CommandLine, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        descriptor = reading
        input = ByteInput(descriptor: reading, name: "the pipe")
        var runtime = Runtime.forTesting(arguments, environment: line.environment)
        runtime.time = line.time ?? .ofSystem
        runtime.standardOutput = ByteOutput(descriptor: writing, name: "standard output")
        standardError = runtime.standardError
        let program = FmsgProgram(runtime: runtime) { CurlTransport(settings: $0) }
        task = Task {
            let exitCode = await program.run()
            // Whoever waits for another line learns that there is none.
            close(writing)
            return exitCode
        }
    }

    deinit {
        task.cancel()
        close(descriptor)
    }

    /// The next line that it prints, without its end.
    func nextLine() async throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let byte = try await input.read(atMost: 1)
            try #require(!byte.isEmpty, "it has ended: \(said)")
            line += byte
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// What it said so far.
    var said: String { standardError.contents }

    func exitCode() async -> ExitCode { await task.value }

    /// As a signal would.
    func cancel() { task.cancel() }
}

extension CommandLine {
    /// Starts a command that goes on.
    func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

    func start(_ arguments: [String]) throws -> RunningCommand {
        try RunningCommand(self, arguments)
    }
}
