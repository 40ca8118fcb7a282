import CommandLineTool
import FmsgCore

/// `fmsg profile use`
enum ProfileUseCommand: Command {
    private static let name = Operand.required("NAME", .profile, "The profile")

    static let declaration = CommandDeclaration(
        "profile use", group: .identity, summary: "Make a profile the default",
        description: "--profile and FMSG_PROFILE go before the default.",
        operands: [name],
        exitCodes: [.notFound, .notAuthenticated],
        examples: [Example("fmsg profile use work", "From now on")],
        output: #"{"name", "address", "api_url", "auth_type", "is_default"}"#)

    static var keys: [String] { ProfileListCommand.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let name = try invocation[name]
        var used: JSONObject = [:]
        try await context.profiles.update(context.runtime.time) { profiles in
            let profile = try profiles.named(name)
            _ = profiles.use(name)
            used = ProfileColumn.json(profile, of: profiles)
        }
        if context.wantsJSON { try context.output.write(used) }
        context.say("\(name) is the default")
        return .done
    }
}
