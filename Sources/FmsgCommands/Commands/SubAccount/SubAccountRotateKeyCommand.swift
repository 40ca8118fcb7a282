import CommandLineTool
import FmsgCore

/// `fmsg sub-account rotate-key`
enum SubAccountRotateKeyCommand: Command {
    static let declaration = CommandDeclaration(
        "sub-account rotate-key", group: .grants, summary: "Give a sub-account another key",
        description: """
            The key before and its tokens stop working at once. The new one is shown this once: \
            it goes to standard output, or with --save-profile into a profile of this machine \
            and nowhere else, where it takes the place of the sub-account's key before.

            \(SubAccountOptions.whoMay)
            """,
        options: [SubAccountOptions.expires, GrantedKey.saveProfile],
        operands: [SubAccountOptions.agent],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example(
                "fmsg sub-account rotate-key bot --save-profile bot", "Renewed in its profile"),
            Example(
                "fmsg sub-account rotate-key ci --expires 30d | vault-put ci",
                "The key into a vault"),
        ],
        output: GrantedKey.shape)

    static var keys: [String] { GrantedKey.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let agent = try invocation[SubAccountOptions.agent]
        let expiresAt = try SubAccountOptions.expiry(invocation, context)
        let account = try context.resolver.ownerAccount()
        let client = context.client(for: account)
        let granted = GrantedKey(agent: agent, host: account.host, context: context)
        let known = try await client.subAccount(agent)
        try await granted.prepare(for: known)
        let grant = try await granted.requested(of: client) { () async throws(FmsgError) in
            try await client.rotateKey(of: agent, keyExpiresAt: expiresAt)
        }
        try await granted.handOver(grant, known: known)
        context.say(
            "the key before is void; this one is good until \(grant.keyExpiresAt ?? expiresAt)")
        return .done
    }
}
