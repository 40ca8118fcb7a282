import CommandLineTool
import FmsgCore

/// `fmsg draft show`: drafts in full.
enum DraftShowCommand: Command {
    static let declaration = CommandDeclaration(
        "draft show", group: .write, summary: "Show drafts in full",
        description: "It prints what show prints; a message that was sent is refused.",
        operands: [Drafts.ids],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [
            Example("fmsg draft show 42", "One draft"),
            Example("fmsg draft show 42 --json | jq -r .body.text", "Its text alone"),
        ],
        output: "A message for one operand, an array for several.")

    static var keys: [String] { MessageDocument.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let ids = try invocation[Drafts.ids].map(MessageReference.id)
        let client = try context.client()
        return try await ShowCommand.show(ids, asOne: ids.count == 1, with: client, in: context) {
            (message) throws(FmsgError) in
            guard message.isDraft else { throw .noDraft(message.id) }
            return try await client.withBody(message)
        }
    }
}
