import CommandLineTool
import FmsgCore

/// `fmsg show`: messages in full.
enum ShowCommand: Command {
    static let references = Operand.repeated(
        "REF", .messageReference, minimum: 1, "Messages: ids, SHA-256, or -N for the N-th newest")

    static let declaration = CommandDeclaration(
        "show", group: .read, summary: "Show messages in full",
        description: """
            The body is fetched whole where the preview does not hold all of it. A body that is \
            no text is named, not shown.

            In a pipe each field is one line: its name, a tab, its value.
            """,
        operands: [references],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg show -1", "The newest message"),
            Example("fmsg show 42 --json | jq -r .body.text", "The text alone"),
        ],
        output: """
            A message for one operand, an array for several. The body is an object with type, \
            size and text.
            """,
        alike: ["read", "cat", "view"])

    static var keys: [String] { MessageDocument.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = try context.client()
        let output = context.output
        let references = try invocation[references]
        var messages: [FmsgMessage] = []
        for (index, reference) in references.enumerated() {
            let message = try await client.withBody(
                try await context.message(reference, from: client))
            if context.wantsJSON {
                messages.append(message)
            } else {
                if index > 0 { try output.line("") }
                try MessagePage(output: output, me: try await client.whoami().address).write(
                    message)
            }
        }
        guard context.wantsJSON else { return .done }
        let documents = messages.map(MessageDocument.object)
        if let only = documents.first, documents.count == 1 {
            try output.write(only)
        } else {
            try output.write(list: documents)
        }
        return .done
    }
}
