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
        let name =
            invocation[GlobalOptions.profile]
            ?? context.runtime.environment[EnvironmentVariable.profile] ?? profiles.defaultName
        guard let name, let profile = profiles[name] else {
            throw CommandFailure(
                "there is no profile to log out",
                hint: profiles.all.isEmpty
                    ? nil
                    : "there are: \(profiles.all.map(\.name).joined(separator: ", "))",
                exitCode: .notAuthenticated)
        }
        if case .apiKey(let key) = profile.credential, let host = try? HostURL(profile.apiURL) {
            try context.tokenFiles.remove(host: host, key: key)
            let account = Account(
                host: host, credential: profile.credential, profile: nil, actAs: nil)
            try CompletionCache(for: account, context.runtime)?.remove()
        }
        try await context.profiles.update(context.runtime.time) { $0.remove(name) }
        context.say("logged out of \(name)")
        return .done
    }
}
