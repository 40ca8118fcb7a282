/// These routes need the owner's token of an identity provider (web API, section 4).
extension FmsgClient {
    /// The owner's grants.
    public func subAccounts() async throws(FmsgError) -> SubAccountList {
        let response = try await perform(.subAccounts)
        return try Self.decode(response, .subAccounts) { (value) throws(ShapeError) in
            try SubAccountList(try FieldReader(value, as: "the answer"))
        }
    }

    public func subAccount(_ agent: String) async throws(FmsgError) -> SubAccount {
        try await grant(.subAccount, [agent])
    }

    /// Creates a sub-account; the answer holds its API key, shown this once.
    /// - Parameter keyExpiresAt: RFC 3339.
    public func createSubAccount(
        _ agent: String, allowedCIDRs: [String], keyExpiresAt: String
    ) async throws(FmsgError) -> SubAccount {
        try await grant(
            .createSubAccount,
            body: [
                Field.agent: .string(agent), Field.allowedCIDRs: .strings(allowedCIDRs),
                Field.keyExpiresAt: .string(keyExpiresAt),
            ])
    }

    /// Replaces the networks from which a sub-account's key is accepted.
    public func allow(
        _ allowedCIDRs: [String], for agent: String
    ) async throws(FmsgError) -> SubAccount {
        try await grant(
            .allowSubAccount, [agent], body: [Field.allowedCIDRs: .strings(allowedCIDRs)])
    }

    /// Replaces a sub-account's key; the answer holds the new one, shown this once.
    /// - Parameter keyExpiresAt: RFC 3339.
    public func rotateKey(
        of agent: String, keyExpiresAt: String
    ) async throws(FmsgError) -> SubAccount {
        try await grant(
            .rotateKey, [agent], body: [Field.keyExpiresAt: .string(keyExpiresAt)])
    }

    public func deleteSubAccount(_ agent: String) async throws(FmsgError) {
        _ = try await perform(.deleteSubAccount, [agent])
    }

    private func grant(
        _ route: Route, _ parameters: [String] = [], body: JSONObject? = nil
    ) async throws(FmsgError) -> SubAccount {
        let response = try await perform(route, parameters, body: body)
        return try Self.decode(response, route) { (value) throws(ShapeError) in
            try SubAccount(try FieldReader(value, as: "the answer"))
        }
    }
}
