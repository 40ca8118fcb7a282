import CommandLineTool
import FmsgCore

extension MessageListing {
    /// Prints what it finds in the form that was asked for.
    func print(in context: CommandContext) async throws -> ExitCode {
        try await context.paged { try await printPages(in: $0) }
    }

    private func printPages(in context: CommandContext) async throws -> ExitCode {
        let output = context.output
        let isSent = route == .sent
        let table = MessageTable(
            output: output,
            columns: context.wantsJSON
                ? [] : output.columns(isSent ? MessageColumn.sent : MessageColumn.inbox),
            isSent: isSent)
        var collected: [FmsgMessage] = []
        // A table needs all its rows to align them, and an array may not break off in the middle.
        let isStreamed = context.wantsJSONLines || (!context.wantsJSON && output.width == nil)
        var listed: [Int64] = []
        let client = try context.client()
        var newest: [FmsgMessage] = []
        let hasGivenUp = try await read(from: client) { messages in
            listed += messages.map(\.id)
            newest += messages.prefix(max(0, FmsgClient.maximumPage - newest.count))
            guard isStreamed else {
                collected += messages
                return
            }
            try write(messages, table, context)
            try context.runtime.standardOutput.flush()
        }
        context.note(.listed(listed))
        if !isStreamed { try write(collected, table, context) }
        if !isSent { context.noteForCompletion(newest) }
        if hasGivenUp {
            context.say("stopped after \(Self.lookLimit) messages; --all looks at every one")
        }
        return .done
    }

    private func write(
        _ messages: [FmsgMessage], _ table: MessageTable, _ context: CommandContext
    ) throws {
        guard context.wantsJSON else { return try table.write(messages) }
        try table.output.write(
            list: messages.map(MessageDocument.object))
    }
}
