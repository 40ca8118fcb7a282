import FmsgCore

/// A sub-account that its owner made: who it is, and what its key is good for.
struct SubAccountRecord: Sendable {
    var agent: String
    var account: Account
    var keyId: String
    var allowedCIDRs: [String]
    /// Seconds since 1970.
    var keyExpiresAt: Double
}

/// Sub-accounts. An agent is known by the folded form of its name, as addresses are.
extension Database {
    private static let subAccountColumns = """
        SELECT agent, address, owner, key_id, allowed_cidrs, key_expires_at FROM sub_account
        JOIN user ON user.key = user_key
        """

    static func cidrs(_ json: String) -> [String] {
        (try? JSON.read(json))?.array?.compactMap(\.string) ?? []
    }

    /// The sub-accounts of an owner, in the order of their agents.
    func subAccounts(of owner: AddressKey) throws(DatabaseError) -> [SubAccountRecord] {
        try rows(
            "\(Self.subAccountColumns) WHERE owner_key = ? ORDER BY agent_key", .text(owner.text),
            map: Self.subAccount)
    }

    func subAccount(
        _ agent: String, of owner: AddressKey
    ) throws(DatabaseError) -> SubAccountRecord? {
        try first(
            "\(Self.subAccountColumns) WHERE owner_key = ? AND agent_key = ?", .text(owner.text),
            .text(addressKey(agent)), map: Self.subAccount)
    }

    func insertSubAccount(_ record: SubAccountRecord, key: APIKey) throws(DatabaseError) {
        try insertAccount(record.account)
        try insertKey(key, of: record.account)
        try run(
            "INSERT INTO sub_account VALUES (?, ?, ?, ?, ?, ?, ?)",
            .text(addressKey(record.account.owner)), .text(addressKey(record.agent)),
            .text(record.agent), .text(record.account.key.text), .text(record.keyId),
            .text(JSON.strings(record.allowedCIDRs).text), .real(record.keyExpiresAt))
    }

    /// Puts another key in the place of a sub-account's, and what it is good for.
    func replaceSubAccount(_ record: SubAccountRecord, key: APIKey?) throws(DatabaseError) {
        try run(
            """
            UPDATE sub_account SET key_id = ?, allowed_cidrs = ?, key_expires_at = ?
            WHERE user_key = ?
            """, .text(key?.id ?? record.keyId), .text(JSON.strings(record.allowedCIDRs).text),
            .real(record.keyExpiresAt), .text(record.account.key.text))
        guard let key else { return }
        try run("DELETE FROM api_key WHERE id = ?", .text(record.keyId))
        try insertKey(key, of: record.account)
    }

    /// Deletes a sub-account with all its keys. Its messages stay.
    func deleteSubAccount(_ record: SubAccountRecord) throws(DatabaseError) {
        let key = SQLValue.text(record.account.key.text)
        try run("DELETE FROM sub_account WHERE user_key = ?", key)
        try run("DELETE FROM api_key WHERE user_key = ?", key)
        try run("DELETE FROM user WHERE key = ?", key)
    }

    private static func subAccount(_ row: SQLRow) -> SubAccountRecord {
        SubAccountRecord(
            agent: row.text(0), account: Account(address: row.text(1), owner: row.text(2)),
            keyId: row.text(3), allowedCIDRs: cidrs(row.text(4)), keyExpiresAt: row.real(5))
    }
}
