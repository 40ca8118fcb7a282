import CommandLineTool
import FmsgCore

/// `fmsg sub-account create`
enum SubAccountCreateCommand: Command {
    private static let allow = Option.values(
        "allow", .cidr, "A network that its key works from, as in 203.0.113.0/24")

    static let declaration = CommandDeclaration(
        "sub-account create", group: .grants, summary: "Create a sub-account and show its key",
        description: """
            Makes @you_AGENT@domain, which acts for you, with an API key of its own. The key is \
            shown this once: it goes to standard output, or with --save-profile into a profile \
            of this machine and nowhere else.

            \(SubAccountOptions.whoMay)
            """,
        options: [allow, SubAccountOptions.expires, GrantedKey.saveProfile],
        operands: [SubAccountOptions.agent],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example(
                "fmsg sub-account create bot --allow 203.0.113.7 --save-profile bot",
                "An agent for one machine; use it with --profile bot"),
            Example(
                "fmsg sub-account create ci --allow 10.0.0.0/8 | vault-put ci",
                "Its key into a vault"),
        ],
        output: GrantedKey.shape)

    static var keys: [String] { GrantedKey.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let agent = try invocation[SubAccountOptions.agent]
        let cidrs = invocation[allow].map(\.text)
        guard !cidrs.isEmpty else {
            throw invocation.usageError(
                "from which networks is the key to work?",
                hint: "give --allow 203.0.113.7, or --allow 0.0.0.0/0 --allow ::/0 for everywhere")
        }
        let expiresAt = try SubAccountOptions.expiry(invocation, context)
        let account = try context.resolver.ownerAccount()
        let client = context.client(for: account)
        let granted = GrantedKey(agent: agent, host: account.host, context: context)
        try await granted.prepare(for: nil)
        let grant = try await granted.requested(of: client) { () async throws(FmsgError) in
            try await client.createSubAccount(
                agent, allowedCIDRs: cidrs, keyExpiresAt: expiresAt)
        }
        try await granted.handOver(grant)
        context.say("\(grant.address) acts for you until \(grant.keyExpiresAt ?? expiresAt)")
        return .done
    }
}
