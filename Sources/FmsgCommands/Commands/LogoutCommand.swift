import CommandLineTool
import FmsgCore

/// `fmsg logout`: forgets a key.
enum LogoutCommand: Command {
    static let declaration = CommandDeclaration(
        "logout", group: .identity, summary: "Forget the key of a profile",
        description: """
            Removes the profile and its cached token from this machine. The key itself stays \
            good: revoke it at the host if it must not be used any more.
            """,
        exitCodes: [.notAuthenticated],
        examples: [
            Example("fmsg logout", "The default profile"),
            Example("fmsg logout --profile work", "Another one"),
        ])

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let profiles = try context.profiles.load()
        let profile = try profiles.named(
            context.profileInUse(profiles), exitCode: .notAuthenticated)
        try await context.forget(profile)
        context.say("logged out of \(profile.name)")
        return .done
    }
}
