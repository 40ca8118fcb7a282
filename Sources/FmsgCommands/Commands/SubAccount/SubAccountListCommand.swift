import CommandLineTool
import FmsgCore

/// `fmsg sub-account list`
enum SubAccountListCommand: Command {
    static let declaration = CommandDeclaration(
        "sub-account list", group: .grants, summary: "List your sub-accounts",
        description: SubAccountOptions.whoMay,
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg sub-account list", "Who acts for you, until when and from where"),
            Example(
                "fmsg sub-account list --json | jq -r '.[].addr'", "Their addresses alone"),
        ],
        output:
            #"An array of {"agent", "addr", "grant_type", "key_id", "allowed_cidrs", "key_expires_at"}."#
    )

    static var keys: [String] { GrantColumn.keys }
    static var columns: [String] { GrantColumn.allCases.map(\.rawValue) }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = context.client(for: try context.resolver.ownerAccount())
        let list = try await client.subAccounts()
        let output = context.output
        guard !context.wantsJSON else {
            try output.write(list: list.subAccounts.map(\.json))
            return .done
        }
        let columns = output.columns(GrantColumn.list)
        try Table(output: output).write(
            list.subAccounts.map { grant in columns.map { $0.cell(of: grant) } })
        if context.isOnTerminal, let maximum = list.maximum {
            context.say("\(list.subAccounts.count) of \(maximum) sub-accounts")
        }
        return .done
    }
}
