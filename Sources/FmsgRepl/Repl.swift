// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// The program `fmsg-repl`, which is `fmsg repl`.
public struct Repl: Sendable {
    private let runtime: Runtime
    private let makeTransport: TransportFactory

    /// - Parameter makeTransport: makes what carries requests, once for each account.
    public init(runtime: Runtime, makeTransport: @escaping TransportFactory) {
        self.runtime = runtime
        self.makeTransport = makeTransport
    }

    /// Reads lines and does what they say, to their end.
    public func run() async -> ExitCode {
        let name = ReplCommand.declaration.name
        if runtime.arguments.first == CompletionRequest.marker {
            await FmsgProgram(runtime: runtime, makeTransport: makeTransport)
                .complete(after: [name])
            return .done
        }
        var runtime = runtime
        runtime.arguments = [name] + runtime.arguments
        let command = RunnableCommand(ReplCommand.declaration.builtIn) {
            [self] invocation, context in
            try await run(invocation, context)
        }
        return await FmsgProgram(
            runtime: runtime, commands: [command], session: nil, makeTransport: makeTransport
        ).run()
    }

    private func run(
        _ invocation: Invocation, _ context: CommandContext
    ) async throws -> ExitCode {
        let store = try ReplStore()
        let global = invocation.words(of: GlobalOptions.all)
        let commands = invocation[ReplCommand.commands]
        guard commands.isEmpty, runtime.terminal.isTerminal(.input),
            runtime.terminal.isTerminal(.output)
        else {
            return await runScript(commands, store, global, invocation)
        }
        let session = session(store, global, prompt: true)
        var repl = try InteractiveRepl(session, context)
        return await repl.run()
    }

    /// Without a prompt: signals end it as they end any command.
    private func runScript(
        _ commands: [String], _ store: ReplStore, _ global: [String], _ invocation: Invocation
    ) async -> ExitCode {
        let keepsGoing = invocation[ReplCommand.keepGoing]
        let (exitCode, signal) = await runtime.signals.cancelling { [self] in
            let session = session(store, global, prompt: false, readsInput: commands.isEmpty)
            var script = Script(session, keepsGoing: keepsGoing)
            return commands.isEmpty
                ? await script.run(runtime.standardInput) : await script.run(commands)
        }
        return signal?.exitCode ?? exitCode
    }

    /// - Parameter readsInput: whether the lines come from standard input: a command has none then.
    private func session(
        _ store: ReplStore, _ global: [String], prompt: Bool, readsInput: Bool = false
    ) -> ReplSession {
        var runtime = runtime
        // Whoever runs the lines takes the signals, and cancels what is running.
        runtime.signals = .none
        if prompt {
            runtime.secretPrompt = SecretPrompt(signals: .none)
            // A terminal that is gone fails what is written to it, and not the prompt's own end.
            runtime.standardOutput = ByteOutput(
                descriptor: StandardStream.output.rawValue, name: "standard output", capacity: 0)
        }
        if readsInput { runtime.standardInput = ByteInput(bytes: [], name: "standard input") }
        return ReplSession(
            runtime: runtime, store: store, globalArguments: global, hasPrompt: prompt,
            makeTransport: makeTransport)
    }
}
