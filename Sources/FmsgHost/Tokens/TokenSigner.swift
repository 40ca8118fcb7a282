import FmsgCore

/// Issues and verifies the host's own access tokens: JWTs signed with Ed25519 (web API,
/// section 3; RFC 7519, RFC 8037).
struct TokenSigner: Sendable {
    /// Seconds by which a token's times and the host's clock may differ.
    static let skew = 10.0
    private static let audience = "fmsg-webapi"
    private static let issuer = audience
    /// Who issues the tokens of owners, where the host stands in for an identity provider.
    private static let identityIssuer = "fmsg-identity"

    private let key: SigningKey

    init(_ key: SigningKey) { self.key = key }

    /// A token by an API key for `account`, good for `lifetime` seconds from `now`; nil when
    /// signing fails.
    func issue(
        to account: Account, keyId: String, now: Double, lifetime: Double
    ) -> IssuedToken? {
        sign(
            [
                Claim.owner: .string(account.owner), Claim.keyId: .string(keyId),
                Claim.issuer: .string(Self.issuer), Claim.subject: .string(account.address),
            ], now: now, lifetime: lifetime)
    }

    /// A token for an owner, as an identity provider gives it; nil when signing fails.
    func issueIdentity(_ address: String, now: Double, lifetime: Double) -> IssuedToken? {
        sign(
            [Claim.issuer: .string(Self.identityIssuer), Claim.subject: .string(address)],
            now: now, lifetime: lifetime)
    }

    private func sign(_ claims: JSONObject, now: Double, lifetime: Double) -> IssuedToken? {
        let expiresAt = Int64((now + lifetime).rounded(.up))
        let header: JSONObject = ["alg": .string("EdDSA"), "typ": .string("JWT")]
        var claims = claims
        claims[Claim.audience] = .strings([Self.audience])
        claims[Claim.expiresAt] = .integer(expiresAt)
        claims[Claim.issuedAt] = .integer(Int64(now))
        let signed = [header, claims].map { Base64.encodeURL(JSON.object($0).bytes) }
            .joined(separator: ".")
        guard let signature = key.sign(Array(signed.utf8)) else { return nil }
        return IssuedToken(
            token: "\(signed).\(Base64.encodeURL(signature))", expiresAt: expiresAt)
    }

    /// What a token that this host signed says, when it is good at `now`; nil otherwise.
    func verify(_ token: String, now: Double) -> VerifiedToken? {
        guard token.utf8.count <= 8192 else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64.decodeURL(parts[2]),
            key.verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8)),
            object(parts[0])?["alg"]?.string == "EdDSA",
            let claims = object(parts[1]),
            claims[Claim.audience]?.array?.contains(.string(Self.audience)) == true,
            let expiresAt = claims[Claim.expiresAt]?.double, now < expiresAt + Self.skew,
            let issuedAt = claims[Claim.issuedAt]?.double, issuedAt <= now + Self.skew,
            let subject = claims[Claim.subject]?.string
        else { return nil }
        let keyId = claims[Claim.keyId]?.string
        switch claims[Claim.issuer]?.string {
        case Self.issuer: return keyId.map { .ofKey(subject: subject, keyId: $0) }
        case Self.identityIssuer: return .ofIdentity(subject: subject)
        default: return nil
        }
    }

    private func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64.decodeURL(part), let value = try? JSON.read(bytes) else {
            return nil
        }
        return value.object
    }
}

/// A token and when it ends, in whole seconds since 1970.
struct IssuedToken: Sendable {
    var token: String
    var expiresAt: Int64
}

/// What a good token says.
enum VerifiedToken: Sendable, Equatable {
    /// It came by an API key.
    case ofKey(subject: String, keyId: String)
    /// It stands for one of an identity provider.
    case ofIdentity(subject: String)
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
