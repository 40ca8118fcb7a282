import CommandLineTool
import FmsgCore

/// `fmsg profile list`
enum ProfileListCommand: Command {
    static let declaration = CommandDeclaration(
        "profile list", group: .identity, summary: "List the identities that are logged in",
        description: "No key is ever shown. It makes no request.",
        exitCodes: [.notAuthenticated],
        examples: [
            Example("fmsg profile list", "All of them, the default with a star"),
            Example("fmsg profile list --json | jq -r '.[].name'", "Their names alone"),
        ],
        output: #"An array of {"name", "address", "api_url", "auth_type", "is_default"}."#)

    static var keys: [String] { ProfileColumn.allCases.map(\.rawValue) }
    static var columns: [String] { keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let profiles = try context.profiles.load()
        let output = context.output
        if context.wantsJSON {
            try output.write(list: profiles.all.map { ProfileColumn.json($0, of: profiles) })
            return .done
        }
        let columns = output.columns(ProfileColumn.allCases)
        try Table(output: output).write(
            profiles.all.map { profile in
                columns.map {
                    $0.cell(of: profile, in: profiles, isOnTerminal: output.width != nil)
                }
            })
        if profiles.all.isEmpty { context.say("there is no profile; log in: fmsg login") }
        return .done
    }
}

/// What is shown of a profile; the raw value is its name in JSON.
enum ProfileColumn: String, CaseIterable, Sendable {
    case name
    case address
    case apiURL = "api_url"
    case authType = "auth_type"
    case isDefault = "is_default"

    static func json(_ profile: Profile, of profiles: Profiles) -> JSONObject {
        JSONObject(fields: allCases.map { ($0.rawValue, $0.value(of: profile, in: profiles)) })
    }

    private func value(of profile: Profile, in profiles: Profiles) -> JSON {
        switch self {
        case .name: .string(profile.name)
        case .address: profile.address.map(JSON.string) ?? .null
        case .apiURL: .string(profile.apiURL)
        case .authType:
            switch profile.credential {
            case .apiKey: .string("api_key")
            case .token: .string("token")
            }
        case .isDefault: .bool(profile.name == profiles.defaultName)
        }
    }

    /// As text: of the default a word in a pipe, a star on a terminal.
    func cell(of profile: Profile, in profiles: Profiles, isOnTerminal: Bool) -> String {
        let value = value(of: profile, in: profiles)
        if case .bool(let isTrue) = value {
            return isTrue ? (isOnTerminal ? "*" : "default") : ""
        }
        return value.string ?? ""
    }
}
