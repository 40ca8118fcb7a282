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
        output: #"{"address", "owner", "api_url", "profile", "token_expires_at"}"#,
        alike: ["status", "me"])

    static var keys: [String] { identityKeys }

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

    private enum Key {
        static let address = "address"
        static let owner = "owner"
        static let apiURL = "api_url"
        static let profile = "profile"
        static let tokenExpiresAt = "token_expires_at"
    }

    static let identityKeys = [
        Key.address, Key.owner, Key.apiURL, Key.profile, Key.tokenExpiresAt,
    ]

    static func json(_ identity: Identity, host: HostURL, profile: String?) -> JSONObject {
        [
            Key.address: .string(identity.address),
            Key.owner: identity.owner.map(JSON.string) ?? .null,
            Key.apiURL: .string(host.text), Key.profile: profile.map(JSON.string) ?? .null,
            Key.tokenExpiresAt: MessageDocument.rfc3339(identity.tokenExpiresAt),
        ]
    }
}
