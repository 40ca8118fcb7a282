import CommandLineTool
import FmsgCore

/// `fmsg draft delete`: drafts go, with their files.
enum DraftDeleteCommand: Command {
    static let declaration = CommandDeclaration(
        "draft delete", group: .write, summary: "Delete drafts with their files",
        description: """
            A message that was sent is never deleted. When some of several fail, the others are \
            deleted all the same, each failure is reported, and the exit code is 7.

            In a pipe the id of each is printed.
            """,
        operands: [Drafts.ids],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [Example("fmsg draft delete 42", "One draft")],
        output: #"An array of {"id"}."#)

    static var keys: [String] { [Field.id] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let ids = try invocation[Drafts.ids]
        let client = try context.client()
        let outcomes = await Several.perform(ids) { (id) throws(FmsgError) in
            try await client.deleteDraft(id)
            return id
        }
        let deleted = outcomes.compactMap { try? $0.get() }
        if context.wantsJSON {
            try context.output.write(list: deleted.map { [Field.id: .integer($0)] })
        } else {
            for id in deleted {
                if context.isOnTerminal {
                    try context.output.line("draft \(id) deleted")
                } else {
                    try context.output.record([String(id)])
                }
            }
        }
        try Several.check(
            outcomes, of: ids.map(MessageReference.id), verb: "deleted", in: context)
        return .done
    }
}
