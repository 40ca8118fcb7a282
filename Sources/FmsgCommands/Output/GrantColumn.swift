import FmsgCore

/// What is shown of a sub-account; the raw value is its name in the web API.
enum GrantColumn: String, CaseIterable, Sendable {
    case agent
    case address = "addr"
    case keyExpiresAt = "key_expires_at"
    case allowedCIDRs = "allowed_cidrs"
    case grantType = "grant_type"
    case keyId = "key_id"

    /// What a list shows.
    static let list: [GrantColumn] = [.agent, .address, .keyExpiresAt, .allowedCIDRs]

    /// Every key that its JSON can have.
    static let keys = [
        Field.agent, Field.address, Field.grantType, Field.displayName, Field.keyId,
        Field.allowedCIDRs, Field.keyExpiresAt,
    ]

    func cell(of grant: SubAccount) -> String {
        switch self {
        case .agent: grant.agent
        case .address: grant.address
        case .keyExpiresAt: grant.keyExpiresAt ?? ""
        case .allowedCIDRs: grant.allowedCIDRs.joined(separator: ",")
        case .grantType: grant.grantType
        case .keyId: grant.keyId ?? ""
        }
    }
}

extension SubAccount {
    /// As `--json` prints it: the host's own object, without the key.
    var json: JSONObject {
        var object = document
        object[Field.apiKey] = nil
        if object[Field.allowedCIDRs]?.isNull == true { object[Field.allowedCIDRs] = .array([]) }
        return object
    }
}
