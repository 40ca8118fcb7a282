import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why nothing was read at a prompt.
public enum PromptError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no terminal to ask on.
    case noTerminal
    /// The person ended the input, or typed more than the limit, or not UTF-8.
    case nothingTyped
    /// A signal came while it waited.
    case interrupted(Signal)
    /// The task was cancelled while it waited.
    case cancelled

    public var description: String {
        switch self {
        case .noTerminal: "there is no terminal to ask on"
        case .nothingTyped: "nothing was typed"
        case .interrupted, .cancelled: "the prompt was interrupted"
        }
    }
}

/// Asks for a line on the terminal itself, whatever the standard streams are, and keeps it off
/// the screen.
public struct SecretPrompt: Sendable {
    private static let longest = 4096

    private let ask: @Sendable (_ question: String) async throws(PromptError) -> String

    public init(ask: @escaping @Sendable (_ question: String) async throws(PromptError) -> String) {
        self.ask = ask
    }

    /// Asks on the terminal at a path, `/dev/tty` being the one that controls the process.
    public init(terminal path: String = "/dev/tty", signals: Signals = .ofProcess) {
        self.init { question async throws(PromptError) in
            let descriptor = csystem_open(path, O_RDWR | O_NOCTTY, 0)
            guard descriptor >= 0 else { throw .noTerminal }
            defer { close(descriptor) }
            return try await SecretPrompt.ask(question, on: descriptor, signals)
        }
    }

    /// No terminal: every question fails with ``PromptError/noTerminal``.
    public static var unavailable: SecretPrompt {
        SecretPrompt { _ async throws(PromptError) in throw .noTerminal }
    }

    /// Shows the question and reads one line, without its end, of at most 4096 bytes. The
    /// terminal is as before when this returns, also after a signal.
    public func read(_ question: String) async throws(PromptError) -> String {
        try await ask(question)
    }

    private static func ask(
        _ question: String, on descriptor: Int32, _ signals: Signals
    ) async throws(PromptError) -> String {
        let outcome = await signals.cancelling { () async -> Result<[UInt8], PromptError> in
            guard let state = csystem_hide_input(descriptor) else { return .failure(.noTerminal) }
            defer { csystem_restore_terminal(descriptor, state) }
            let output = ByteOutput(descriptor: descriptor, name: "the terminal", capacity: 0)
            guard (try? output.write(question)) != nil else { return .failure(.noTerminal) }
            return await readLine(from: descriptor)
        }
        if let signal = outcome.signal { throw .interrupted(signal) }
        let bytes = try outcome.result.get()
        guard let line = String(validating: bytes, as: UTF8.self) else { throw .nothingTyped }
        return line
    }

    private static func readLine(from descriptor: Int32) async -> Result<[UInt8], PromptError> {
        var line: [UInt8] = []
        while line.count <= longest {
            guard await waitUntilReadable(descriptor) else { return .failure(.cancelled) }
            guard let bytes = try? readBytes(from: descriptor, atMost: longest), !bytes.isEmpty
            else { return .failure(.nothingTyped) }
            line += bytes
            if line.last == UInt8(ascii: "\n") { return .success(line.dropLast()) }
        }
        return .failure(.nothingTyped)
    }
}
