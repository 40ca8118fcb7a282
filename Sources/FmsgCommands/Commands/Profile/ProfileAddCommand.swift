import CommandLineTool
import FmsgCore

/// `fmsg profile add`: one more identity, beside the default.
enum ProfileAddCommand: Command {
    private static let name = Operand.required(
        "NAME", .newProfile, "What the profile is to be called")

    static let declaration = CommandDeclaration(
        "profile add", group: .identity, summary: "Log in under a new name, beside the default",
        description: """
            As login, but the default stays what it is, and a profile that is there already is \
            left alone. The first profile becomes the default.
            """,
        operands: [name, LogIn.source],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg profile add work --api-url https://fmsg.example.com", "Asks for the key"),
            Example("pass work | fmsg profile add work -", "From a vault, at the host in use"),
        ],
        output: #"{"address", "owner", "api_url", "profile", "token_expires_at"}"#)

    static var keys: [String] { WhoamiCommand.identityKeys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let name = try invocation[name]
        func check(_ profiles: Profiles) throws {
            guard profiles[name] != nil else { return }
            throw invocation.usageError(
                "there is a profile \(DisplayText.escape(name)) already",
                hint: "choose another name, or remove it: fmsg profile remove")
        }
        try check(try context.profiles.load())
        let accepted = try await LogIn.accepted(profile: nil, invocation, in: context)
        try await context.profiles.update(context.runtime.time) { profiles in
            try check(profiles)
            profiles.keep(accepted.profile(name))
            if profiles.defaultName == nil { _ = profiles.use(name) }
        }
        try LogIn.tell(accepted, profile: name, in: context)
        return .done
    }
}
