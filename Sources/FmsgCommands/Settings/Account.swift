import CommandLineTool
import FmsgCore

/// Which host is spoken to, and as whom: found by option, environment, profile and default, in
/// that order.
package struct Account: Sendable {
    package let host: HostURL
    let credential: Credential
    /// The profile that it comes from; nil when the environment gave it.
    let profile: String?
    /// The sub-account that is acted as, if any.
    let actAs: String?

    /// Whether both speak to the same host with the same credential, whatever named them.
    package func isSameIdentity(as other: Account) -> Bool {
        host == other.host && credential == other.credential && actAs == other.actAs
    }
}

/// Finds the ``Account`` of a command.
package struct AccountResolver: Sendable {
    let environment: Environment
    let store: ProfileStore
    /// `--profile`, `--api-url` and `--as`.
    let profileOption: String?
    let urlOption: String?
    let actAs: String?

    /// - Throws: ``CommandFailure``, ``FmsgError`` or ``FileError`` that says what is missing.
    package func account() throws -> Account {
        let account = try found()
        // Some hosts pay no heed to it beside a key's token, and would act as the key's own address.
        if actAs != nil {
            try checkOwner(
                account, "--as",
                hint: "set \(EnvironmentVariable.token), or use the sub-account's own key")
        }
        return account
    }

    /// The account of an owner: one whose credential is not an API key, which may not see to
    /// sub-accounts.
    /// - Throws: as ``account()``.
    func ownerAccount() throws -> Account {
        let account = try account()
        try checkOwner(
            account, "this", hint: "set \(EnvironmentVariable.token), or log in with such a token")
        return account
    }

    private func checkOwner(
        _ account: Account, _ what: String, hint: String
    ) throws(CommandFailure) {
        guard case .apiKey = account.credential else { return }
        throw CommandFailure(
            "\(what) needs a token of your identity provider, and there is an API key",
            hint: hint, exitCode: .usage)
    }

    private func found() throws -> Account {
        // What stands in the environment is not looked at when a profile is asked for by option.
        let isByOption = profileOption != nil
        let credential = isByOption ? nil : credentialFromEnvironment
        let urlFromEnvironment = isByOption ? nil : environment[EnvironmentVariable.apiURL]
        let givenURL = urlOption ?? urlFromEnvironment
        if let credential, let givenURL {
            return Account(
                host: try checkedHost(givenURL), credential: credential, profile: nil, actAs: actAs)
        }
        let profile = try self.profile()
        guard let url = givenURL ?? profile?.apiURL else { throw notLoggedIn }
        let host = try checkedHost(url)
        if let credential {
            return Account(host: host, credential: credential, profile: nil, actAs: actAs)
        }
        guard let profile else { throw notLoggedIn }
        guard try HostURL(profile.apiURL) == host else {
            throw CommandFailure(
                "the key of profile \(DisplayText.escape(profile.name)) belongs to "
                    + "\(profile.apiURL) and is not sent to \(host)",
                hint: "log in there: fmsg login --api-url \(host)", exitCode: .usage)
        }
        return Account(
            host: host, credential: profile.credential, profile: profile.name, actAs: actAs)
    }

    /// The host's URL by itself, for `login`; nil when nothing names one.
    func host() throws -> HostURL? {
        try (urlOption ?? environment[EnvironmentVariable.apiURL]).map(checkedHost)
    }

    /// The URL, unless keys would travel to it in the open.
    func checkedHost(_ text: String) throws -> HostURL {
        let host = try HostURL(text)
        guard
            !host.isPlain || host.isLoopback
                || environment.isOn(EnvironmentVariable.allowInsecureHTTP)
        else {
            throw CommandFailure(
                "\(host) would carry keys and messages in clear text",
                hint: "use https, or set \(EnvironmentVariable.allowInsecureHTTP)=1",
                exitCode: .usage)
        }
        return host
    }

    private var credentialFromEnvironment: Credential? {
        secret(EnvironmentVariable.token).map(Credential.token)
            ?? secret(EnvironmentVariable.apiKey).map(Credential.apiKey)
    }

    /// A variable without the line end that a file or a command may have left on it.
    private func secret(_ name: String) -> String? {
        environment[name].map { value in
            value.lastIndex { !$0.isWhitespace }.map { String(value[...$0]) } ?? ""
        }
    }

    private func profile() throws -> Profile? {
        let profiles = try store.load()
        guard let name = profileOption ?? environment[EnvironmentVariable.profile] else {
            return profiles.defaultName.flatMap { profiles[$0] }
        }
        return try profiles.named(name, exitCode: .notAuthenticated)
    }

    private var notLoggedIn: CommandFailure {
        CommandFailure(
            "not logged in",
            hint: "run fmsg login, or set \(EnvironmentVariable.apiURL) and "
                + EnvironmentVariable.apiKey,
            exitCode: .notAuthenticated)
    }
}
