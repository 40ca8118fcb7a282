import FmsgCore

/// Who asks (web API, section 3).
extension WebAPI {
    private static let scheme = "Bearer "

    /// `POST /fmsg/token`: an access token for an API key.
    func issueToken(_ head: RequestHead) throws -> HTTPResponse {
        let presented = try bearer(head)
        guard let key = APIKey(presented),
            let record = try store.read({ try $0.key(key.id) }), key.matches(record.secretDigest)
        else { throw Refusal(401, "invalid api key") }
        try check(record, from: head.peer)
        let now = configuration.clock()
        let lifetime = min(configuration.tokenLifetime, (record.expiresAt ?? .infinity) - now)
        let issued = signer.issue(
            to: record.account, keyId: key.id, now: now, lifetime: lifetime)
        guard let issued else { throw Refusal(500, "failed to issue token") }
        return .json(
            200,
            [
                Field.accessToken: .string(issued.token),
                Field.expiresAt: .string(Timestamp.rfc3339(Double(issued.expiresAt))),
                Field.expiresIn: .double(lifetime),
                Field.tokenType: .string("Bearer"),
            ])
    }

    /// Whom a request acts for. A key is looked up anew each time, and so is a grant.
    func authenticate(_ head: RequestHead) throws -> Caller {
        try authenticate(token: try bearer(head), head)
    }

    func authenticate(token: String, _ head: RequestHead) throws -> Caller {
        let actAs = head.header(HeaderName.actAs)
        switch signer.verify(token, now: configuration.clock()) {
        case .ofKey(let subject, let keyId):
            guard let record = try store.read({ try $0.key(keyId) }),
                record.account.address == subject
            else { throw Refusal.invalidToken }
            try check(record, from: head.peer)
            guard actAs == nil else { throw Refusal.ownerRequired }
            return Caller(account: record.account, isOwner: false)
        case .ofIdentity(let subject):
            guard let account = try store.read({ try $0.account(AddressKey(subject)) }) else {
                throw Refusal(400, "User \(subject) not found")
            }
            return try actAs.map { try caller($0, for: account) }
                ?? Caller(account: account, isOwner: true)
        case nil: throw Refusal.invalidToken
        }
    }

    /// The sub-account that an owner acts as, or the owner, who may act as itself.
    private func caller(_ address: String, for owner: Account) throws -> Caller {
        guard (try? FmsgAddress(address)) != nil else {
            throw Refusal(401, "invalid act-as identity")
        }
        guard let account = try store.read({ try $0.account(AddressKey(address)) }),
            AddressKey(account.owner) == owner.key
        else { throw Refusal(403, "grant not authorised") }
        return Caller(account: account, isOwner: account.key == owner.key)
    }

    private func check(_ key: KeyRecord, from peer: IPAddress?) throws {
        guard !key.isRevoked else { throw Refusal(401, "api key revoked") }
        if let expiresAt = key.expiresAt, configuration.clock() >= expiresAt {
            throw Refusal(401, "api key expired")
        }
        guard let allowed = key.allowedCIDRs else { return }
        let isAllowed = allowed.contains { cidr in
            peer.map { CIDR(cidr)?.contains($0) == true } ?? false
        }
        guard isAllowed else { throw Refusal(403, "source IP not allowed") }
    }

    private func bearer(_ head: RequestHead) throws -> String {
        guard let value = head.header("Authorization"), value.hasPrefix(Self.scheme),
            value.count > Self.scheme.count
        else { throw Refusal(401, "missing or malformed Authorization header") }
        return String(value.dropFirst(Self.scheme.count))
    }
}

/// Whom a request acts for, and by what right.
struct Caller: Sendable {
    var account: Account
    /// Whether it is the account's own token of an identity provider, which may do what an API
    /// key may not: see to sub-accounts.
    var isOwner: Bool
}
