import CommandLineTool
import FmsgCore

/// `fmsg profile show`
enum ProfileShowCommand: Command {
    private static let name = Operand.optional(
        "NAME", .profile, "The profile; without one, that which is in use")

    static let declaration = CommandDeclaration(
        "profile show", group: .identity, summary: "Show a profile, without its key",
        description: "It makes no request; whoami tells what the host says.",
        operands: [name],
        exitCodes: [.notFound, .notAuthenticated],
        examples: [
            Example("fmsg profile show", "The one in use"),
            Example("fmsg profile show work --json --fields api_url", "One fact of another"),
        ],
        output: #"{"name", "address", "api_url", "auth_type", "is_default"}"#)

    static var keys: [String] { ProfileListCommand.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let profiles = try context.profiles.load()
        let name = try invocation[name] ?? context.profileInUse(profiles)
        let profile = try profiles.named(name)
        guard !context.wantsJSON else {
            try context.output.write(ProfileColumn.json(profile, of: profiles))
            return .done
        }
        try context.output.write(
            fields: ProfileColumn.allCases.map { column in
                (column.rawValue, column.cell(of: profile, in: profiles, isOnTerminal: false))
            })
        return .done
    }
}

extension CommandContext {
    /// The name of the profile that option, environment or default pick.
    func profileInUse(_ profiles: Profiles) -> String? {
        invocation[GlobalOptions.profile] ?? runtime.environment[EnvironmentVariable.profile]
            ?? profiles.defaultName
    }
}

extension Profiles {
    /// The profile of that name.
    /// - Throws: ``CommandFailure`` that lists those that there are.
    func named(_ name: String?, exitCode: ExitCode = .notFound) throws(CommandFailure) -> Profile {
        if let profile = name.flatMap({ self[$0] }) { return profile }
        let what = name.map { "there is no profile \(DisplayText.escape($0))" }
        let names = all.map { DisplayText.escape($0.name) }
        throw CommandFailure(
            what ?? "no profile is in use",
            hint: names.isEmpty
                ? "log in: fmsg login" : "there are: \(names.joined(separator: ", "))",
            exitCode: exitCode)
    }
}

extension ValueType where Element == String {
    /// The name of a profile, whatever it is.
    static var profile: Self { .text("NAME", kind: .profile) }

    /// A name that a profile may get.
    static var newProfile: Self { profileName(kind: .text) }

    /// A name that a profile may have: that of one that is there, but to `login`.
    static var namedProfile: Self { profileName(kind: .profile) }

    private static func profileName(kind: ValueKind) -> Self {
        ValueType("NAME", kind: kind) { text throws(InvalidValue) in
            guard text != "-", (1...100).contains(text.utf8.count),
                !text.unicodeScalars.contains(where: \.isHarmfulWhenShown)
            else { throw InvalidValue("a name has 1 to 100 bytes and no control characters") }
            guard !Redaction(text).isRedacted else {
                throw InvalidValue("a key is never given as an argument, where others can see it")
            }
            return text
        }
    }
}
