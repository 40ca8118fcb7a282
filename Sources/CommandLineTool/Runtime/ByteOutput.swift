import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why output could not be written.
public enum OutputError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whoever read it is gone: a quiet end with ``ExitCode/readerGone``.
    case readerGone
    /// Anything else, such as a full disk.
    case failed(output: String, SystemError)

    public var description: String {
        switch self {
        case .readerGone: "the reader of the output is gone"
        case .failed(let output, let error): "cannot write to \(output): \(error)"
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .readerGone: .readerGone
        case .failed: .failed
        }
    }
}

/// A buffered stream of bytes to a file descriptor, or to memory.
///
/// After a failure every further call throws the same error, so that whoever flushes at the end
/// learns of it. A program calls ``flush()`` before it exits, and is done only if that succeeds.
public final class ByteOutput: Sendable {
    private enum Target: Sendable {
        case descriptor(Int32)
        case memory
    }

    private struct State {
        var pending: [UInt8] = []
        var written: [UInt8] = []
        var error: OutputError?
    }

    /// What the output is called in an error: "standard output".
    public let name: String
    private let target: Target
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptor: stays open and the caller's.
    ///   - capacity: bytes that are held back at most; with 0 each write goes out at once.
    public init(descriptor: Int32, name: String, capacity: Int = 1 << 16) {
        self.name = name
        self.capacity = capacity
        target = .descriptor(descriptor)
    }

    private init(memory name: String) {
        self.name = name
        capacity = 0
        target = .memory
    }

    /// An output that keeps what is written, for ``contents``.
    public static func memory(_ name: String = "memory") -> ByteOutput {
        ByteOutput(memory: name)
    }

    /// What was written to an output in memory, as text; empty for any other.
    public var contents: String { String(decoding: bytes, as: UTF8.self) }

    /// What was written to an output in memory; empty for any other.
    public var bytes: [UInt8] { state.withLock { $0.written } }

    /// Writes text as UTF-8.
    public func write(_ text: String) throws(OutputError) {
        try perform { state throws(OutputError) in
            state.pending.append(contentsOf: text.utf8)
            if state.pending.count > capacity { try drain(&state) }
        }
    }

    /// Writes bytes as they are.
    public func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
        try perform { state throws(OutputError) in
            state.pending.append(contentsOf: bytes)
            if state.pending.count > capacity { try drain(&state) }
        }
    }

    /// Writes text and a line end; with `flush` it reaches the reader before this returns.
    public func writeLine(_ text: String, flush: Bool = false) throws(OutputError) {
        try perform { state throws(OutputError) in
            state.pending.append(contentsOf: text.utf8)
            state.pending.append(UInt8(ascii: "\n"))
            if flush || state.pending.count > capacity { try drain(&state) }
        }
    }

    /// Sends all that is held back.
    /// - Throws: ``OutputError``, also one of an earlier call.
    public func flush() throws(OutputError) {
        try perform { state throws(OutputError) in try drain(&state) }
    }

    private func perform(_ body: (inout State) throws(OutputError) -> Void) throws(OutputError) {
        let error = state.withLock { state -> OutputError? in
            if let error = state.error { return error }
            do throws(OutputError) {
                try body(&state)
            } catch {
                state.error = error
                state.pending = []
            }
            return state.error
        }
        if let error { throw error }
    }

    private func drain(_ state: inout State) throws(OutputError) {
        switch target {
        case .memory: state.written += state.pending
        case .descriptor(let descriptor): try send(state.pending, to: descriptor)
        }
        state.pending.removeAll(keepingCapacity: true)
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            case EPIPE: throw .readerGone
            case let number: throw .failed(output: name, SystemError(number: number))
            }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
