import CommandLineTool
import FmsgCore

/// `fmsg sub-account delete`
enum SubAccountDeleteCommand: Command {
    static let declaration = CommandDeclaration(
        "sub-account delete", group: .grants, summary: "Delete a sub-account",
        description: """
            Its key and all tokens stop working at once. Messages that it sent or received stay.

            \(SubAccountOptions.whoMay)
            """,
        operands: [SubAccountOptions.agent],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [Example("fmsg sub-account delete bot", "It acts for you no longer")],
        output: #"{"agent", "deleted"}"#)

    static var keys: [String] { [Field.agent, deleted] }

    private static let deleted = "deleted"

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let agent = try invocation[SubAccountOptions.agent]
        let client = context.client(for: try context.resolver.ownerAccount())
        try await client.deleteSubAccount(agent)
        if context.wantsJSON {
            try context.output.write([Field.agent: .string(agent), deleted: .bool(true)])
        }
        context.say("deleted sub-account \(agent)")
        return .done
    }
}
