import CommandLineTool

extension FmsgProgram {
    /// Answers a shell that completes a line. Whatever goes wrong, there is only less to propose:
    /// it never asks, and never says a word on stderr.
    /// - Parameter command: the words that the line's own program stands for.
    package func complete(after command: [String] = []) async {
        if let request = CompletionRequest(runtime.arguments) {
            try? answer(request, after: command)
        } else if runtime.arguments.dropFirst().first == CompletionRefresh.word {
            try? await refresh()
        }
    }

    private func answer(_ request: CompletionRequest, after command: [String]) throws {
        let live = LiveCompletion(runtime: runtime)
        let completion = parser.completion(of: command + request.words, live: live.candidates)
        if case .external(let name, let words) = completion,
            let path = runtime.findExternalCommand(name, program: Self.name)
        {
            try runtime.become(path, request.arguments(for: words))
        }
        try runtime.standardOutput.write(request.answer(completion))
        try runtime.standardOutput.flush()
    }

    private func refresh() async throws {
        let options = runtime.arguments.dropFirst(2)
        let line = [CompletionCommand.declaration.name, "bash"] + options
        guard case .run(let invocation) = try parser.parse(line) else { return }
        try await CompletionRefresh.run(
            in: CommandContext(
                runtime: runtime, invocation: invocation, parser: parser,
                makeTransport: makeTransport))
    }
}
