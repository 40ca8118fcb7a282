import FmsgCore

/// Issues and verifies the host's own access tokens: JWTs signed with Ed25519 (web API,
/// section 3; RFC 7519, RFC 8037).
struct TokenSigner: Sendable {
    /// Seconds by which a token's times and the host's clock may differ.
    static let skew = 10.0
    private static let issuer = "fmsg-webapi"

    private let key: SigningKey

    init(_ key: SigningKey) { self.key = key }

    /// A token for `account`, good for `lifetime` seconds from `now`; nil when signing fails.
    func issue(
        to account: Account, keyId: String, now: Double, lifetime: Double
    ) -> (token: String, expiresAt: Int64)? {
        let issuedAt = Int64(now)
        let expiresAt = Int64((now + lifetime).rounded(.up))
        let header: JSONObject = ["alg": .string("EdDSA"), "typ": .string("JWT")]
        let claims: JSONObject = [
            Claim.owner: .string(account.owner),
            Claim.keyId: .string(keyId),
            Claim.issuer: .string(Self.issuer),
            Claim.subject: .string(account.address),
            Claim.audience: .strings([Self.issuer]),
            Claim.expiresAt: .integer(expiresAt),
            Claim.issuedAt: .integer(issuedAt),
        ]
        let signed = [header, claims].map { Base64.encodeURL(JSON.object($0).bytes) }
            .joined(separator: ".")
        guard let signature = key.sign(Array(signed.utf8)) else { return nil }
        return ("\(signed).\(Base64.encodeURL(signature))", expiresAt)
    }

    /// What a token that this host signed says, when it is good at `now`; nil otherwise.
    func verify(_ token: String, now: Double) -> (subject: String, keyId: String)? {
        guard token.utf8.count <= 8192 else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64.decodeURL(parts[2]),
            key.verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8)),
            object(parts[0])?["alg"]?.string == "EdDSA",
            let claims = object(parts[1]),
            claims[Claim.issuer]?.string == Self.issuer,
            claims[Claim.audience]?.array?.contains(.string(Self.issuer)) == true,
            let expiresAt = claims[Claim.expiresAt]?.double, now < expiresAt + Self.skew,
            let issuedAt = claims[Claim.issuedAt]?.double, issuedAt <= now + Self.skew,
            let subject = claims[Claim.subject]?.string, let keyId = claims[Claim.keyId]?.string
        else { return nil }
        return (subject, keyId)
    }

    private func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64.decodeURL(part), let value = try? JSON.read(bytes) else {
            return nil
        }
        return value.object
    }
}

/// The claims of an access token.
private enum Claim {
    static let audience = "aud"
    static let expiresAt = "exp"
    static let issuedAt = "iat"
    static let issuer = "iss"
    static let keyId = "api_key_id"
    static let owner = "owner"
    static let subject = "sub"
}
