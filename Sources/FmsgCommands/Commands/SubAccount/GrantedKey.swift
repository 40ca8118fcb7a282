import CommandLineTool
import FmsgCore

/// A key that a host shows once: what must be right before it is asked for, and where it goes.
struct GrantedKey: Sendable {
    static let saveProfile = Option.value(
        "save-profile", .newProfile, "Keep the key in this profile instead of showing it")

    static let shape = """
        {"agent", "addr", "grant_type", "key_id", "allowed_cidrs", "key_expires_at", "api_key"}; \
        with --save-profile "profile" in place of "api_key".
        """

    private static let profile = "profile"

    static let keys = GrantColumn.keys + [Field.apiKey, profile]

    let agent: String
    let host: HostURL
    let context: CommandContext

    private var profileName: String? { context.invocation[Self.saveProfile] }

    /// Finds out whether the key could be kept, before there is one.
    /// - Parameter grant: whose key it is, where that is known: its profile may be there.
    func prepare(for grant: SubAccount?) async throws {
        guard let name = profileName else { return }
        let profiles = try context.profiles.load()
        if let known = profiles[name] {
            let isOwn = grant.map { known.isSameIdentity(as: kept($0, "", as: name)) } ?? false
            guard isOwn else {
                throw context.invocation.usageError(
                    "there is a profile \(DisplayText.escape(name)) already",
                    hint: "choose another name, or remove it: fmsg profile remove")
            }
        }
        try await context.profiles.checkWritable(context.runtime.time)
    }

    /// Makes the request; of an answer that was lost it says how to come by a key.
    func requested(
        of client: FmsgClient, _ request: () async throws(FmsgError) -> SubAccount
    ) async throws -> SubAccount {
        let failure: FmsgError
        do {
            return try await request()
        } catch {
            failure = error
        }
        guard case .transport(let lost) = failure, lost.mayHaveArrived, lost.kind != .cancelled,
            (try? await client.subAccount(agent)) != nil
        else { throw failure }
        throw CommandFailure(
            "sub-account \(agent) is there, but the answer with its key was lost: \(lost.message)",
            hint: another, exitCode: .hostUnavailable)
    }

    /// Keeps the key or shows it. What goes wrong here is told with the way to another key.
    /// - Parameter known: the sub-account as it was; hosts leave out what has not changed.
    func handOver(_ grant: SubAccount, known: SubAccount? = nil) async throws {
        guard let key = grant.apiKey else {
            throw CommandFailure(
                "the host gave no key for sub-account \(agent)", exitCode: .hostUnavailable)
        }
        do {
            if let name = profileName {
                try await context.profiles.update(context.runtime.time) {
                    $0.keep(kept(grant, key, as: name))
                }
                context.say("the key is kept in profile \(name)")
            }
            try show(grant, key, known)
            try context.runtime.standardOutput.flush()
            if profileName == nil { context.say("keep this key: it is shown once") }
        } catch {
            let isKept = profileName != nil && error is OutputError
            throw CommandFailure(
                "sub-account \(agent) has a new key, "
                    + (isKept ? "and it is kept, but this could not be told: " : "and it is lost: ")
                    + ErrorReport(error).message, hint: isKept ? nil : another)
        }
    }

    private var another: String { "get another: fmsg sub-account rotate-key \(agent)" }

    private func kept(_ grant: SubAccount, _ key: String, as name: String) -> Profile {
        Profile(name: name, apiURL: host.text, credential: .apiKey(key), address: grant.address)
    }

    private func show(_ grant: SubAccount, _ key: String, _ known: SubAccount?) throws {
        let output = context.output
        guard context.wantsJSON else {
            if profileName == nil {
                try output.record([key])
            } else {
                try output.record([grant.address])
            }
            return
        }
        var object = known?.json ?? [:]
        for field in grant.json.fields { object[field.key] = field.value }
        if let name = profileName {
            object[Self.profile] = .string(name)
        } else {
            object[Field.apiKey] = .string(key)
        }
        try output.write(object)
    }
}
