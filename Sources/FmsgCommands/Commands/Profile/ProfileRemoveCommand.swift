import CommandLineTool
import FmsgCore

/// `fmsg profile remove`
enum ProfileRemoveCommand: Command {
    private static let name = Operand.required("NAME", .profile, "The profile")

    static let declaration = CommandDeclaration(
        "profile remove", group: .identity, summary: "Forget a profile and its key",
        description: """
            Removes the profile and its cached token from this machine, as logout does. The key \
            itself stays good: revoke it at the host if it must not be used any more.
            """,
        operands: [name],
        exitCodes: [.notFound, .notAuthenticated],
        examples: [Example("fmsg profile remove work", "Its key is gone from this machine")])

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let profile = try context.profiles.load().named(try invocation[name])
        try await context.forget(profile)
        context.say("removed \(profile.name)")
        return .done
    }
}

extension CommandContext {
    /// Removes a profile with all that is kept of what its key gave.
    func forget(_ profile: Profile) async throws {
        if case .apiKey(let key) = profile.credential, let host = try? HostURL(profile.apiURL) {
            try tokenFiles.remove(host: host, key: key)
            let account = Account(
                host: host, credential: profile.credential, profile: nil, actAs: nil)
            try CompletionCache(for: account, runtime)?.remove()
        }
        try await profiles.update(runtime.time) { $0.remove(profile.name) }
    }
}
