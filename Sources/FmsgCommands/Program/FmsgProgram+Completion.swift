import CommandLineTool

extension FmsgProgram {
    /// Answers a shell that completes a line. Whatever goes wrong, there is only less to propose:
    /// it never asks, and never says a word on stderr.
    func complete() async {
        if let request = CompletionRequest(runtime.arguments) {
            try? answer(request)
        } else if runtime.arguments.dropFirst().first == CompletionRefresh.word {
            try? await refresh()
        }
    }

    private func answer(_ request: CompletionRequest) throws {
        let live = LiveCompletion(runtime: runtime)
        let completion = parser.completion(of: request.words, live: live.candidates)
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
