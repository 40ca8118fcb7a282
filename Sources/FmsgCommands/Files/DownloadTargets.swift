import CommandLineTool
import FmsgCore
import Synchronization

/// The first error of a target, which the transport could only hand on as text.
final class TargetFailure: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock { $0 } }

    func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            state.withLock { $0 = $0 ?? error }
            throw error
        }
    }
}

/// A download into a file that is not whole yet.
final class FileTarget: DownloadTarget {
    private let file: PartialFile
    private let meter: ProgressMeter?
    let failure = TargetFailure()

    init(_ file: PartialFile, meter: ProgressMeter?) {
        self.file = file
        self.meter = meter
    }

    var received: Int64 { file.size }

    func begin(at offset: Int64) throws {
        try failure.noting { if offset < file.size { try file.cut(to: offset) } }
    }

    func take(_ piece: [UInt8]) throws {
        try failure.noting { try file.write(piece) }
        meter?.reach(file.size)
    }
}

/// A download to standard output, which cannot take back what is out.
final class OutputTarget: DownloadTarget {
    private struct State {
        var received: Int64 = 0
        /// Bytes that come once more.
        var repeated: Int64 = 0
        var text = TerminalText()
    }

    private let output: ByteOutput
    private let isTerminal: Bool
    private let meter: ProgressMeter?
    private let state = Mutex(State())
    let failure = TargetFailure()

    init(_ output: ByteOutput, isTerminal: Bool, meter: ProgressMeter?) {
        self.output = output
        self.isTerminal = isTerminal
        self.meter = meter
    }

    var received: Int64 { state.withLock { $0.received } }

    func begin(at offset: Int64) {
        state.withLock { $0.repeated = $0.received - offset }
    }

    func take(_ piece: [UInt8]) throws {
        try failure.noting {
            let done = try state.withLock { state in
                let known = Int(min(state.repeated, Int64(piece.count)))
                state.repeated -= Int64(known)
                guard known < piece.count else { return state.received }
                let fresh = known == 0 ? piece : Array(piece.dropFirst(known))
                state.received += Int64(fresh.count)
                if isTerminal {
                    try output.write(try state.text.take(fresh))
                } else {
                    try output.write(fresh)
                }
                return state.received
            }
            meter?.reach(done)
        }
    }

    /// What a terminal needs at the end of a text.
    func end() throws {
        guard isTerminal else { return }
        try output.write(try state.withLock { try $0.text.end() })
    }
}
