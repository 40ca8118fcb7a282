import CommandLineTool
import FmsgCore

/// `fmsg sub-account allow`
enum SubAccountAllowCommand: Command {
    private static let networks = Operand.repeated(
        "CIDR", .cidr, minimum: 1, "Networks, as in 203.0.113.0/24, or single addresses")

    static let declaration = CommandDeclaration(
        "sub-account allow", group: .grants,
        summary: "Set the networks that a sub-account's key works from",
        description: """
            The networks take the place of those before: name all that are to be allowed. They \
            count from the next request on, also for tokens that are out.

            \(SubAccountOptions.whoMay)
            """,
        operands: [SubAccountOptions.agent, networks],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg sub-account allow bot 203.0.113.7", "From one machine alone"),
            Example("fmsg sub-account allow bot 0.0.0.0/0 ::/0", "From everywhere"),
        ],
        output: SubAccountOptions.shape)

    static var keys: [String] { GrantColumn.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let agent = try invocation[SubAccountOptions.agent]
        let cidrs = try invocation[networks].map(\.text)
        let client = context.client(for: try context.resolver.ownerAccount())
        try SubAccountOptions.write(try await client.allow(cidrs, for: agent), in: context)
        return .done
    }
}
