import CommandLineTool
import FmsgCore

/// The command of `agent --exec`: gets a message, and gives the text of its reply. Data reaches it
/// by standard input and environment alone, never as a part of the command line.
struct AgentHandler: Sendable {
    /// What it gets on its standard input.
    enum Input: String, CaseIterable, Sendable {
        /// `{"me", "message", "lineage", "turns"}`.
        case json
        /// The turns for a language model, as an array.
        case turns
        /// The text of the message.
        case text
    }

    /// The most that it may print, in bytes.
    private static let outputLimit = 10 << 20

    /// Media type of what it prints.
    let type: String
    private let command: String
    private let identity: Identity
    private let input: Input
    private let contextSize: Int?
    private let timeLimit: Double
    private let passesCredentials: Bool
    private let runtime: Runtime

    init(
        command: String, identity: Identity, _ invocation: Invocation, in context: CommandContext
    ) {
        self.command = command
        self.identity = identity
        type = invocation[AgentCommand.type]
        input = invocation[AgentCommand.input]
        contextSize = invocation[AgentCommand.contextSize]
        timeLimit = invocation[AgentCommand.timeout]
        passesCredentials = invocation[AgentCommand.passCredentials]
        runtime = context.runtime
    }

    /// Runs it for a message of a thread.
    /// - Parameter message: with its whole body where that is text.
    func run(_ message: FmsgMessage, in thread: FmsgThread) async -> AnswerTask.Input {
        let handler = Handler(
            command, input: bytes(message, thread), environment: environment(message, thread),
            timeLimit: timeLimit, output: .captured(limit: Self.outputLimit))
        do throws(ProcessError) {
            let outcome = try await runtime.processes.run(handler)
            if outcome == .cancelled { return .failed(.cancelled) }
            guard let output = outcome.success else {
                return .handlerFailed("the handler \(outcome)")
            }
            guard let text = String(validating: output, as: UTF8.self) else {
                return .handlerFailed("the handler printed what is not UTF-8")
            }
            return .answer(text)
        } catch {
            return .handlerFailed(error.description)
        }
    }

    private func bytes(_ message: FmsgMessage, _ thread: FmsgThread) -> [UInt8] {
        let turns = JSON.array(
            thread.turns(for: identity.address, last: contextSize).map { .object($0.document) })
        switch input {
        case .text: return Array((message.wholeText ?? "").utf8)
        case .turns: return turns.bytes + [UInt8(ascii: "\n")]
        case .json:
            let lineage = thread.messages.suffix(contextSize ?? thread.messages.count)
            return JSON.object([
                "me": HandlerDocument.me(identity),
                "message": .object(MessageDocument.object(message)),
                "lineage": .array(lineage.map { .object(MessageDocument.object($0)) }),
                "turns": turns,
            ]).bytes + [UInt8(ascii: "\n")]
        }
    }

    private func environment(_ message: FmsgMessage, _ thread: FmsgThread) -> Environment {
        var environment = HandlerDocument.environment(
            runtime.environment, EventType.newMessage, message,
            passesCredentials: passesCredentials)
        environment[EnvironmentVariable.rootId] = String(thread.visibleRootId)
        // A reply has no topic of its own: the thread's is meant.
        environment[EnvironmentVariable.topic] =
            thread.visibleMessages.first { !$0.topic.isEmpty }?.topic ?? message.topic
        return environment
    }
}
