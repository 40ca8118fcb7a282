// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// `exit`: leaves the prompt.
enum ExitCommand: SessionCommand {
    static let declaration = CommandDeclaration(
        "exit", group: .help, summary: "Leave the prompt, as Ctrl-D does",
        examples: [Example("exit", "At the prompt of fmsg repl")])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        session.store.update { $0.isLeaving = true }
        return .done
    }
}

/// `quit`: the same.
enum QuitCommand: SessionCommand {
    static let declaration = CommandDeclaration(
        "quit", group: .help, summary: "Leave the prompt",
        examples: [Example("quit", "At the prompt of fmsg repl")])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        try await ExitCommand.run(invocation, in: context, of: session)
    }
}
