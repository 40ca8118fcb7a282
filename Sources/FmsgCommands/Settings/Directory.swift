import CommandLineTool
import FmsgCore

/// Finds the address of a bare name: in the directory (`FMSG_DIRECTORY`), else at the default
/// domain (`FMSG_DEFAULT_DOMAIN`).
struct Directory: Sendable {
    private let addresses: JSONObject
    private let defaultDomain: String?

    init(_ runtime: Runtime) throws {
        defaultDomain = runtime.environment[EnvironmentVariable.defaultDomain]
        guard let path = runtime.environment[EnvironmentVariable.directory] else {
            addresses = JSONObject()
            return
        }
        let bytes = try runtime.files.read(path, limit: 16 << 20)
        guard let object = (try? JSON.read(bytes))?.object else {
            throw CommandFailure(
                "the directory \(DisplayText.escape(path)) is not a JSON object of names and addresses",
                exitCode: .usage)
        }
        addresses = object
    }

    func address(of name: String, _ invocation: Invocation) throws(UsageError) -> String {
        if name.hasPrefix("@") { return try checked(name, name, invocation) }
        if let found = try entry(name, invocation) {
            return try checked(found.string ?? "", name, invocation)
        }
        guard let defaultDomain else {
            let near = NearestNames.of(name, among: addresses.fields.map(\.key))
                .map { DisplayText.escape($0) }
            throw invocation.usageError(
                "--to \"\(DisplayText.escape(name))\": no address and not in the directory",
                hint: near.isEmpty
                    ? "write @user@domain, or set \(EnvironmentVariable.directory) or "
                        + EnvironmentVariable.defaultDomain
                    : "did you mean \(near.joined(separator: ", "))?")
        }
        return try checked("@\(name)@\(defaultDomain)", name, invocation)
    }

    /// What the directory has under a name, as it is written or else whatever its case.
    private func entry(_ name: String, _ invocation: Invocation) throws(UsageError) -> JSON? {
        if let exact = addresses[name] { return exact }
        let alike = addresses.fields.filter { sameAddress($0.key, name) }
        guard alike.count > 1 else { return alike.first?.value }
        let names = alike.map { DisplayText.escape($0.key) }.joined(separator: ", ")
        throw invocation.usageError(
            "--to \"\(DisplayText.escape(name))\" may be any of these: \(names)",
            hint: "write the name as the directory has it")
    }

    private func checked(
        _ address: String, _ name: String, _ invocation: Invocation
    ) throws(UsageError) -> String {
        do {
            return try FmsgAddress(address).text
        } catch {
            throw invocation.usageError(
                "--to \"\(DisplayText.escape(name))\": \(DisplayText.escape(address)): \(error.reason)"
            )
        }
    }
}
