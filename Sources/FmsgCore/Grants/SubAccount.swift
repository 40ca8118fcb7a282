/// A grant by which a sub-account or a delegated identity acts for its owner (web API,
/// section 4).
public struct SubAccount: Sendable, Equatable {
    /// The host's object, whole. It holds ``apiKey`` where that is given.
    public let document: JSONObject
    public let agent: String
    public let address: String
    public let grantType: String
    public let displayName: String?
    public let keyId: String?
    public let allowedCIDRs: [String]
    /// RFC 3339 in UTC.
    public let keyExpiresAt: String?
    /// The key, shown once, on creation and rotation: a secret.
    public let apiKey: String?

    init(_ fields: FieldReader) throws(ShapeError) {
        document = fields.object
        agent = try fields.required(Field.agent, try fields.string(Field.agent))
        address = try fields.string(Field.address) ?? ""
        grantType = try fields.string(Field.grantType) ?? ""
        displayName = try fields.string(Field.displayName)
        keyId = try fields.string(Field.keyId)
        allowedCIDRs = try fields.strings(Field.allowedCIDRs)
        keyExpiresAt = try fields.string(Field.keyExpiresAt)
        apiKey = try fields.string(Field.apiKey)
    }
}

/// An owner's grants and how many there may be.
public struct SubAccountList: Sendable, Equatable {
    public let maximum: Int64?
    public let subAccounts: [SubAccount]

    init(_ fields: FieldReader) throws(ShapeError) {
        maximum = try fields.integer(Field.maximumSubAccounts)
        subAccounts = try fields.list(Field.subAccounts, SubAccount.init)
    }
}
