import FmsgCore

/// Sub-accounts (web API, section 4): for owners with a token of an identity provider alone.
extension WebAPI {
    private static let maximumAgentBytes = 64

    /// `GET /fmsg/sub-accounts`
    func listSubAccounts(_ call: Call) throws -> HTTPResponse {
        let owner = try owner(call)
        let records = try store.read { try $0.subAccounts(of: owner.key) }
        return .json(
            200,
            [
                Field.maximumSubAccounts: .integer(configuration.limits.subAccounts),
                Field.subAccounts: .array(records.map { .object(json($0)) }),
            ])
    }

    /// `POST /fmsg/sub-accounts`
    func createSubAccount(_ call: Call) throws -> HTTPResponse {
        let owner = try owner(call)
        let fields = try RequestFields(call.body, name: "subAccountInput")
        let agent = try fields.string(Field.agent)
        let expiresAt = try expiry(fields)
        let allowed = try allowedCIDRs(fields)
        let account = try account(agent, of: owner)
        let key = APIKey.generate()
        let record = SubAccountRecord(
            agent: agent, account: account, keyId: key.id, allowedCIDRs: allowed,
            keyExpiresAt: expiresAt)
        try store.write { database in
            guard try database.account(account.key) == nil else {
                throw Refusal(409, "sub-account already exists")
            }
            guard
                try database.subAccounts(of: owner.key).count < configuration.limits.subAccounts
            else { throw Refusal(403, "sub-account limit exceeded") }
            try database.insertSubAccount(record, key: key)
        }
        var answer = json(record)
        answer[Field.apiKey] = .string(key.text)
        return .json(201, answer)
    }

    /// `GET /fmsg/sub-accounts/:agent`
    func showSubAccount(_ call: Call) throws -> HTTPResponse {
        .json(200, json(try store.read { try subAccount(call, $0) }))
    }

    /// `PATCH /fmsg/sub-accounts/:agent`
    func allowSubAccount(_ call: Call) throws -> HTTPResponse {
        let record = try store.write { database in
            var record = try subAccount(call, database)
            record.allowedCIDRs = try allowedCIDRs(
                try RequestFields(call.body, name: "updateCIDRsInput"))
            try database.replaceSubAccount(record, key: nil)
            return record
        }
        return .json(200, json(record))
    }

    /// `DELETE /fmsg/sub-accounts/:agent`
    func deleteSubAccount(_ call: Call) throws -> HTTPResponse {
        try store.write { try $0.deleteSubAccount(try subAccount(call, $0)) }
        return .noContent
    }

    /// `POST /fmsg/sub-accounts/:agent/rotate-key`
    func rotateKey(_ call: Call) throws -> HTTPResponse {
        let key = APIKey.generate()
        let record = try store.write { database in
            var record = try subAccount(call, database)
            record.keyExpiresAt = try expiry(try RequestFields(call.body, name: "rotateKeyInput"))
            try database.replaceSubAccount(record, key: key)
            return record
        }
        return .json(
            200,
            [
                Field.address: .string(record.account.address),
                Field.agent: .string(record.agent), Field.apiKey: .string(key.text),
                Field.grantType: .string(GrantType.derivedSubAccount),
                Field.keyExpiresAt: .string(Timestamp.rfc3339(record.keyExpiresAt)),
                Field.keyId: .string(key.id),
            ])
    }

    // MARK: What they have in common

    private func owner(_ call: Call) throws -> Account {
        guard call.caller.isOwner else { throw Refusal.ownerRequired }
        return call.account
    }

    private func subAccount(_ call: Call, _ database: Database) throws -> SubAccountRecord {
        let owner = try owner(call)
        let agent = call.parameters.first ?? ""
        guard isAgent(agent) else { throw Refusal(400, "invalid agent") }
        guard let record = try database.subAccount(agent, of: owner.key) else {
            throw Refusal(404, "grant not found")
        }
        return record
    }

    private func isAgent(_ name: String) -> Bool {
        (1...Self.maximumAgentBytes).contains(name.utf8.count) && !name.contains("_")
    }

    /// The account `@owner_agent@domain`.
    private func account(_ agent: String, of owner: Account) throws -> Account {
        guard let parts = try? FmsgAddress(owner.address), isAgent(agent), !agent.contains("@"),
            let address = try? FmsgAddress("@\(parts.user)_\(agent)@\(parts.domain)")
        else {
            throw Refusal(
                400, "agent must be 1-64 letters/digits/dots/hyphens and contain no underscores")
        }
        return Account(address: address.text, owner: owner.address)
    }

    private func expiry(_ fields: RequestFields) throws -> Double {
        guard let seconds = RFC3339.seconds(try fields.string(Field.keyExpiresAt)),
            seconds > configuration.clock()
        else { throw Refusal(400, "key_expires_at must be a future RFC3339 timestamp") }
        return seconds
    }

    private func allowedCIDRs(_ fields: RequestFields) throws -> [String] {
        let allowed = try fields.strings(Field.allowedCIDRs)
        guard !allowed.isEmpty, allowed.allSatisfy({ CIDR($0)?.text == $0 }) else {
            throw Refusal(400, "allowed_cidrs must contain valid CIDR ranges")
        }
        return allowed
    }

    private func json(_ record: SubAccountRecord) -> JSONObject {
        [
            Field.agent: .string(record.agent), Field.address: .string(record.account.address),
            Field.grantType: .string(GrantType.derivedSubAccount),
            Field.keyId: .string(record.keyId),
            Field.allowedCIDRs: .strings(record.allowedCIDRs),
            Field.keyExpiresAt: .string(Timestamp.rfc3339(record.keyExpiresAt)),
        ]
    }
}
