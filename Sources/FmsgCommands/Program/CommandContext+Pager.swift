import CommandLineTool

extension CommandContext {
    /// What a shell ends with when there is no such program, or none that it may run.
    private static let unusable: [Int32] = [126, 127]

    /// Does what prints a list or a text, and shows that in a pager, where one was asked for and
    /// there is a terminal. Leaving the pager early is no failure.
    func paged(
        _ body: @escaping @Sendable (CommandContext) async throws -> ExitCode
    ) async throws -> ExitCode {
        guard invocation[GlobalOptions.pager], isOnTerminal, runtime.terminal.isInteractive else {
            return try await body(self)
        }
        let command = runtime.environment[EnvironmentVariable.pager] ?? "less"
        var environment = runtime.environment
        // Colours as they are, a short text left on the screen, nothing cleared.
        if environment[EnvironmentVariable.less] == nil {
            environment[EnvironmentVariable.less] = "FRX"
        }
        let pager = try PipedCommand(command, environment: environment)
        // Talk would fall into the pager's screen: it comes after that.
        let talk = ByteOutput.memory()
        var surroundings = self
        surroundings.runtime.standardOutput = pager.output
        surroundings.runtime.standardError = talk
        let context = surroundings
        // What is typed to interrupt reaches both: the pager is waited for all the same.
        return try await interruptible {
            let result = await Self.result(of: body, in: context)
            let status = await pager.end()
            try? runtime.standardError.write(talk.bytes)
            guard !Self.unusable.contains(status) else {
                throw CommandFailure(
                    "the pager cannot be run: \(DisplayText.escape(command))",
                    hint: "set \(EnvironmentVariable.pager), or leave out --pager")
            }
            return try result.get()
        }
    }

    private static func result(
        of body: (CommandContext) async throws -> ExitCode, in context: CommandContext
    ) async -> Result<ExitCode, any Error> {
        let output = context.runtime.standardOutput
        do {
            let code = try await body(context)
            try output.flush()
            return .success(code)
        } catch OutputError.readerGone {
            return .success(.done)
        } catch {
            // What was found before the failure still belongs to the reader.
            try? output.flush()
            return .failure(error)
        }
    }
}
