// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// A command that only a prompt has.
protocol SessionCommand: Sendable {
    static var declaration: CommandDeclaration { get }

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode
}

/// The commands that only a prompt has.
enum ReplCommands {
    static let table: [any SessionCommand.Type] = [
        OpenCommand.self, NextCommand.self, PreviousCommand.self, UpCommand.self,
        BranchesCommand.self, SaveCommand.self, CloseCommand.self, NoticesCommand.self,
        ExitCommand.self, QuitCommand.self,
    ]

    static func all(_ session: ReplSession) -> [RunnableCommand] {
        table.map { command in
            RunnableCommand(command.declaration) { invocation, context in
                try await command.run(invocation, in: context, of: session)
            }
        }
    }
}
