import CommandLineTool
import FmsgCore

/// `fmsg sub-account show`
enum SubAccountShowCommand: Command {
    static let declaration = CommandDeclaration(
        "sub-account show", group: .grants, summary: "Show one of your sub-accounts",
        description: SubAccountOptions.whoMay,
        operands: [SubAccountOptions.agent],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg sub-account show bot", "All about it but its key"),
            Example(
                "fmsg sub-account show bot --json | jq -r .key_expires_at", "When its key ends"),
        ],
        output: SubAccountOptions.shape)

    static var keys: [String] { GrantColumn.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = context.client(for: try context.resolver.ownerAccount())
        try SubAccountOptions.write(
            try await client.subAccount(try invocation[SubAccountOptions.agent]), in: context)
        return .done
    }
}
