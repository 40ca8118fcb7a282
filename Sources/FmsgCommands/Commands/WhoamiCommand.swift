import CommandLineTool
import FmsgCore

/// `fmsg whoami`: the acting address, by the token at hand.
enum WhoamiCommand: Command {
    static let check = Option.flag("check", "Ask the host whether the credentials are good")

    static let declaration = CommandDeclaration(
        "whoami", group: .identity, summary: "Show who you are",
        description: """
            It makes no request while a token is at hand. In a pipe the address is printed, and \
            nothing else.
            """,
        options: [check],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg whoami", "Your address"),
            Example("fmsg whoami --check && echo fine", "Whether the host still knows you"),
        ],
        output: #"{"address", "owner", "api_url", "profile", "token_expires_at"}"#)

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let account = try context.resolver.account()
        let client = context.client(for: account)
        if invocation[check] { _ = try await client.inbox(limit: 1) }
        let identity = try await client.whoami()
        if context.wantsJSON {
            try context.output.write(json(identity, host: account.host, profile: account.profile))
        } else if context.isOnTerminal {
            let owner = identity.owner.map { " for \($0)" } ?? ""
            try context.output.line(
                DisplayText.escape("\(identity.address)\(owner) at \(account.host)"))
        } else {
            try context.output.record([identity.address])
        }
        return .done
    }

    static func json(_ identity: Identity, host: HostURL, profile: String?) -> JSONObject {
        [
            "address": .string(identity.address),
            "owner": identity.owner.map(JSON.string) ?? .null,
            "api_url": .string(host.text), "profile": profile.map(JSON.string) ?? .null,
            "token_expires_at": MessageDocument.rfc3339(identity.tokenExpiresAt),
        ]
    }
}
