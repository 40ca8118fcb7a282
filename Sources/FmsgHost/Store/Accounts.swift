import FmsgCore

/// Whom a request acts for.
struct Account: Sendable {
    /// In the spelling that it was added with.
    var address: String
    var owner: String

    var key: AddressKey { AddressKey(address) }
}

/// A user of a host.
public struct HostUser: Sendable, Equatable {
    /// In the spelling that it was added with.
    public var address: String
    /// The address that it acts for: its own unless it was added with another.
    public var owner: String
    /// The ids of its API keys that are not revoked.
    public var keyIds: [String]
}

/// Users and their keys.
extension Database {
    func account(_ key: AddressKey) throws(DatabaseError) -> Account? {
        try first("SELECT address, owner FROM user WHERE key = ?", .text(key.text)) {
            Account(address: $0.text(0), owner: $0.text(1))
        }
    }

    func insertAccount(_ account: Account) throws(DatabaseError) {
        try run(
            "INSERT INTO user VALUES (?, ?, ?)", .text(account.key.text), .text(account.address),
            .text(account.owner))
    }

    func insertKey(_ key: APIKey, of account: Account) throws(DatabaseError) {
        try run(
            "INSERT INTO api_key (id, user_key, secret_sha256) VALUES (?, ?, ?)", .text(key.id),
            .text(account.key.text), .blob(key.secretDigest))
    }

    /// The key of that id with whom it belongs to.
    func key(_ id: String) throws(DatabaseError) -> KeyRecord? {
        try first(
            """
            SELECT secret_sha256, revoked, address, owner, allowed_cidrs, key_expires_at
            FROM api_key JOIN user ON user.key = api_key.user_key
            LEFT JOIN sub_account ON sub_account.key_id = api_key.id WHERE id = ?
            """, .text(id)
        ) { row in
            KeyRecord(
                secretDigest: row.blob(0), isRevoked: row.bool(1),
                account: Account(address: row.text(2), owner: row.text(3)),
                allowedCIDRs: row.optionalText(4).map(Self.cidrs), expiresAt: row.optionalReal(5))
        }
    }

    /// Revokes a key; false when there is none of that id.
    func revokeKey(_ id: String) throws(DatabaseError) -> Bool {
        try run("UPDATE api_key SET revoked = 1 WHERE id = ?", .text(id))
        return changes > 0
    }

    func users() throws(DatabaseError) -> [HostUser] {
        let keys = try rows("SELECT user_key, id FROM api_key WHERE revoked = 0 ORDER BY id") {
            (user: $0.text(0), id: $0.text(1))
        }
        return try rows("SELECT address, owner, key FROM user ORDER BY key") { row in
            let key = row.text(2)
            return HostUser(
                address: row.text(0), owner: row.text(1),
                keyIds: keys.filter { $0.user == key }.map(\.id))
        }
    }
}

/// What is kept of an API key.
struct KeyRecord: Sendable {
    var secretDigest: [UInt8]
    var isRevoked: Bool
    var account: Account
    /// The networks from which it is accepted; nil for every one.
    var allowedCIDRs: [String]?
    /// Seconds since 1970; nil for never.
    var expiresAt: Double?
}
