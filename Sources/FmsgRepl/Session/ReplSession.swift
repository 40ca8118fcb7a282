// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore

/// Runs statements: commands of the suite and of the prompt over one set of clients, with their
/// outputs led where the line says.
final class ReplSession: Sendable {
    let runtime: Runtime
    let store: ReplStore
    let clients = ClientPool()
    let makeTransport: TransportFactory
    /// Looks after what was sent; nil without a prompt to tell it at.
    private let delivery: DeliveryWatch?
    /// What was given to the prompt itself and holds for every command in it.
    private let globalArguments: [String]

    init(
        runtime: Runtime, store: ReplStore, globalArguments: [String], hasPrompt: Bool,
        makeTransport: @escaping TransportFactory
    ) {
        self.runtime = runtime
        self.store = store
        self.globalArguments = globalArguments
        self.makeTransport = makeTransport
        delivery = hasPrompt ? DeliveryWatch(store: store, time: runtime.time) : nil
    }

    /// Every command that there is here.
    var commands: [RunnableCommand] {
        CommandTable.runnable.filter { $0.declaration.path != ReplCommand.declaration.path }
            + ReplCommands.all(self) + [thisPrompt]
    }

    /// What is told of the prompt itself.
    private var thisPrompt: RunnableCommand {
        RunnableCommand(ReplCommand.declaration.builtIn) { invocation, _ in
            throw invocation.usageError("this is the prompt already", hint: "see: help repl")
        }
    }

    /// Says what is wrong with the commands of a line, before any of them is run: a word that is
    /// no command may well be the end of a text that was not quoted.
    func check(_ statements: [Statement]) throws(UsageError) {
        guard statements.count > 1 else { return }
        let known = Set(commands.compactMap(\.declaration.path.first))
        for statement in statements {
            guard case .command(let words) = statement.action, let first = words.first,
                !first.hasPrefix("-"), !known.contains(first),
                runtime.findExternalCommand(first, program: "fmsg") == nil
            else { continue }
            throw UsageError(
                "unknown command: \(DisplayText.escape(first))",
                hint: "nothing of this line was done; a text with ; or | goes in quotes")
        }
    }

    /// Whether a statement is another program, which has the terminal to itself.
    func isForeign(_ statement: Statement) -> Bool {
        guard case .command(let words) = statement.action else { return true }
        let program = program(words, runtime, isListingKept: false)
        if case .external = try? program.understood() { return true }
        return false
    }

    /// What a context that belongs to no line shares with the lines.
    var shared: CommandSession {
        CommandSession(clients: clients, surroundings: LineSurroundings()) { _ in }
    }

    /// Runs one statement and reports what went wrong.
    func run(_ statement: Statement) async -> ExitCode {
        switch statement.action {
        case .shell(let command): await runShell(command)
        case .command(let words): await run(words, statement)
        }
    }

    /// Reports what is wrong with a line.
    func report(_ error: any Error) -> ExitCode {
        program([], runtime, isListingKept: false).report(error)
    }

    // MARK: Commands

    private func run(_ words: [String], _ statement: Statement) async -> ExitCode {
        var runtime = runtime
        if let input = statement.input {
            runtime.standardInput = ByteInput(bytes: Array(input.utf8), name: "the text")
        }
        if case .standard = statement.output {
            return await program(words, runtime, isListingKept: true).run()
        }
        do {
            // A wrong line starts no program and empties no file.
            let request = try program(words, runtime, isListingKept: false).understood()
            if case .external(let path, let arguments) = request {
                return try await runtime.runInForeground(
                    "/bin/sh", ["-c", ShellWords.line([path] + arguments, to: statement.output)])
            }
            runtime.terminal = runtime.terminal.without(.output)
            switch statement.output {
            case .pipe(let command): return try await run(words, runtime, into: command)
            case .file(let path, let appends):
                let file = try OutputFile(path, appends: appends)
                runtime.standardOutput = file.output
                return await program(words, runtime, isListingKept: false).run()
            case .standard: return .done
            }
        } catch {
            return report(error)
        }
    }

    /// The command's failure counts, and else that of the shell command. A reader that has had
    /// enough is none.
    private func run(
        _ words: [String], _ runtime: Runtime, into command: String
    ) async throws -> ExitCode {
        var runtime = runtime
        let reader = try PipedCommand(command, environment: runtime.environment)
        runtime.standardOutput = reader.output
        let exitCode = await program(words, runtime, isListingKept: false).run()
        let status = ExitCode(rawValue: await reader.end())
        return exitCode == .done || exitCode == .readerGone ? status : exitCode
    }

    private func program(
        _ words: [String], _ runtime: Runtime, isListingKept: Bool
    ) -> FmsgProgram {
        var runtime = runtime
        runtime.arguments = globalArguments + words
        let surroundings = store.read { state in
            LineSurroundings(
                message: state.open.map { String($0.message.id) },
                listed: state.listed.map { String($0) })
        }
        let session = CommandSession(clients: clients, surroundings: surroundings) {
            [self] effect in
            take(effect, isListingKept)
        }
        return FmsgProgram(
            runtime: runtime, commands: commands, session: session, makeTransport: makeTransport)
    }

    private func take(_ effect: CommandSession.Effect, _ isListingKept: Bool) {
        switch effect {
        case .listed(let ids):
            // Only what was shown with numbers can be named by them.
            if isListingKept { store.update { $0.listed = ids } }
        case .markedRead(let ids):
            store.update { state in
                for id in ids { state.unread.remove(id) }
            }
        case .sent(let sent, let client):
            store.update { $0.open?.noteReply(to: sent.message.parent?.id) }
            delivery?.follow(sent.id, with: client)
        }
    }

    // MARK: The shell

    private func runShell(_ command: String) async -> ExitCode {
        let shell = runtime.environment["SHELL"] ?? "/bin/sh"
        do {
            guard !command.isEmpty else { return try await runtime.runInForeground(shell, []) }
            return try await runtime.runInForeground(shell, ["-c", command])
        } catch {
            return report(error)
        }
    }
}
