import CommandLineTool
import FmsgCore

/// Runs the command of `watch --exec` for an event. The event reaches it by standard input and
/// environment alone, never as a part of the command line.
struct WatchHook: Sendable {
    let command: String
    let context: CommandContext

    /// Runs it to its end; a failure is reported and stops nothing.
    /// - Throws: only when the task was cancelled.
    func run(
        _ type: String, _ message: FmsgMessage, with client: FmsgClient
    ) async throws(FmsgError) {
        do {
            let whole = try await context.patiently("message \(message.id)") {
                () throws(FmsgError) in
                try await client.withBodyOnceReadable(message)
            }
            let handler = Handler(
                // Its output is talk: stdout is for the events.
                "exec >&2\n\(command)", input: try await input(type, whole, client),
                environment: HandlerDocument.environment(
                    context.runtime.environment, type, whole),
                output: .inherited)
            let outcome = try await context.runtime.processes.run(handler)
            if outcome == .cancelled {
                context.say("the command for message \(message.id) was stopped")
                throw FmsgError.cancelled
            }
            if outcome.success == nil {
                context.say("the command for message \(message.id) \(outcome)")
            }
        } catch let error as FmsgError where error.category == .cancelled {
            throw error
        } catch {
            context.say("the command for message \(message.id): \(ErrorReport(error).message)")
        }
    }

    private func input(
        _ type: String, _ message: FmsgMessage, _ client: FmsgClient
    ) async throws(FmsgError) -> [UInt8] {
        let identity = try await client.whoami()
        return JSON.object([
            Field.type: .string(type),
            "me": HandlerDocument.me(identity),
            Field.data: .object(MessageDocument.object(message)),
        ]).bytes + [UInt8(ascii: "\n")]
    }
}
