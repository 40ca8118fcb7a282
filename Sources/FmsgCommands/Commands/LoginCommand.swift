import CommandLineTool
import FmsgCore

/// `fmsg login`: keeps a key, once the host has accepted it.
enum LoginCommand: Command {
    static let declaration = CommandDeclaration(
        "login", group: .identity, summary: "Log in to a host with an API key",
        description: """
            The key is asked for on the terminal, without echo; with - it is read from standard \
            input; else it is taken from FMSG_API_KEY, or from FMSG_TOKEN. It is never an argument, where others \
            could see it. It is kept only once the host has accepted it, in credentials.json, \
            readable by you alone. A token of your identity provider can stand in its place.

            The profile is named after the address unless --profile names it, and becomes the \
            default.
            """,
        operands: [LogIn.source],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg login --api-url https://fmsg.example.com", "Asks for the key"),
            Example("pass fmsg | fmsg login - --api-url https://fmsg.example.com", "From a vault"),
        ],
        output: #"{"address", "owner", "api_url", "profile", "token_expires_at"}"#,
        alike: ["auth", "init", "config"])

    static var keys: [String] { WhoamiCommand.identityKeys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let given = invocation[GlobalOptions.profile]
        let accepted = try await LogIn.accepted(profile: given, invocation, in: context)
        let name = given ?? Profiles.name(for: accepted.identity.address)
        let profile = accepted.profile(name)
        try await context.profiles.update(context.runtime.time) { profiles in
            // A name that nobody chose must not take the place of another identity.
            if given == nil, let other = profiles[name], !other.isSameIdentity(as: profile) {
                throw invocation.usageError(
                    "the profile \(DisplayText.escape(name)) belongs to "
                        + DisplayText.escape(other.apiURL),
                    hint: "name this one: --profile NAME")
            }
            profiles.keep(profile)
            _ = profiles.use(name)
        }
        try LogIn.tell(accepted, profile: name, in: context)
        return .done
    }
}
