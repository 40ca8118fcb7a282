import CommandLineTool

/// A command as the program calls it: one of ``CommandTable``, or one that only a prompt has.
package struct RunnableCommand: Sendable {
    package typealias Run =
        @Sendable (_ invocation: Invocation, _ context: CommandContext) async throws -> ExitCode

    package let declaration: CommandDeclaration
    /// Refuses what is wrong with a line before anything is done.
    let check: @Sendable (_ invocation: Invocation, _ isJSON: Bool) throws -> Void
    let run: Run

    init(_ command: any Command.Type) {
        declaration = command.declaration
        check = { try command.checkFields($0, isJSON: $1) }
        run = { try await command.run($0, in: $1) }
    }

    /// A command without fields of its own.
    package init(_ declaration: CommandDeclaration, run: @escaping Run) {
        self.declaration = declaration
        self.run = run
        check = { invocation, _ in
            guard invocation[GlobalOptions.fields] == nil else {
                throw invocation.usageError("this command has no fields")
            }
        }
    }
}

extension CommandTable {
    /// Every built-in command, for a program that adds its own.
    package static var runnable: [RunnableCommand] { all.map { RunnableCommand($0) } }
}
