import CSystem
import Glibc
import Testing

@testable import CommandLineTool

/// A pseudo-terminal, and what a person at it sees and does.
private final class PseudoTerminal: Sendable {
    let controller: Int32
    let terminal: Int32
    let path: String

    init() throws {
        var ends: (Int32, Int32) = (-1, -1)
        guard csystem_open_terminal(&ends.0, &ends.1) == 0 else { throw SystemError.last }
        (controller, terminal) = ends
        var name = [CChar](repeating: 0, count: 128)
        ttyname_r(ends.1, &name, name.count)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        close(controller)
        close(terminal)
    }

    var echoes: Bool { csystem_terminal_echoes(terminal) }

    func type(_ text: String) throws {
        try ByteOutput(descriptor: controller, name: "terminal", capacity: 0).write(text)
    }

    /// What is shown, up to and with `end`.
    func shown(upTo end: String) async throws -> String {
        let input = ByteInput(descriptor: controller, name: "terminal")
        var bytes: [UInt8] = []
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
            bytes += try await input.read(atMost: 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct SecretPromptTests {
    private let terminal: PseudoTerminal
    private let signals = TestSignals()

    init() throws { terminal = try PseudoTerminal() }

    private func ask() -> Task<Result<String, PromptError>, Never> {
        let prompt = SecretPrompt(terminal: terminal.path, signals: signals.signals)
        return Task { () async -> Result<String, PromptError> in
            do throws(PromptError) {
                return .success(try await prompt.read("API key: "))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func theLineIsReadAndNeverShown() async throws {
        #expect(terminal.echoes)
        let answer = ask()
        #expect(try await terminal.shown(upTo: "API key: ") == "API key: ")
        #expect(!terminal.echoes)
        try terminal.type("fmsgk_x_sécret\u{7F}T\n")
        #expect(await answer.value == .success("fmsgk_x_sécreT"))
        #expect(terminal.echoes)
        #expect(try await terminal.shown(upTo: "\n") == "\r\n")
    }

    @Test func theEchoIsBackAfterASignal() async throws {
        let answer = ask()
        _ = try await terminal.shown(upTo: "API key: ")
        #expect(!terminal.echoes)
        signals.send(.interrupt)
        #expect(await answer.value == .failure(.interrupted(.interrupt)))
        #expect(terminal.echoes)
        #expect(!signals.isAwaited)
    }

    @Test func theEchoIsBackAfterCancellation() async throws {
        let answer = ask()
        _ = try await terminal.shown(upTo: "API key: ")
        answer.cancel()
        #expect(await answer.value == .failure(.cancelled))
        #expect(terminal.echoes)
    }

    @Test func endOfInputIsNoAnswer() async throws {
        let answer = ask()
        _ = try await terminal.shown(upTo: "API key: ")
        try terminal.type("\u{4}")
        #expect(await answer.value == .failure(.nothingTyped))
        #expect(terminal.echoes)
    }

    @Test func withoutATerminalNothingIsAsked() async {
        for path in ["/dev/null", "/nonexistent"] {
            let prompt = SecretPrompt(terminal: path, signals: .none)
            await #expect(throws: PromptError.noTerminal) { try await prompt.read("x") }
        }
        await #expect(throws: PromptError.noTerminal) {
            try await SecretPrompt.unavailable.read("x")
        }
    }
}
