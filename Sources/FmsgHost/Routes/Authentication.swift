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
        guard !record.isRevoked else { throw Refusal(401, "api key revoked") }
        let issued = signer.issue(
            to: record.account, keyId: key.id, now: configuration.clock(),
            lifetime: configuration.tokenLifetime)
        guard let issued else { throw Refusal(500, "failed to issue token") }
        return .json(
            200,
            [
                Field.accessToken: .string(issued.token),
                Field.expiresAt: .string(Timestamp.rfc3339(Double(issued.expiresAt))),
                Field.expiresIn: .double(configuration.tokenLifetime),
                Field.tokenType: .string("Bearer"),
            ])
    }

    /// The account of a request's access token, whose key is looked up anew each time.
    func authenticate(_ head: RequestHead) throws -> Account {
        try authenticate(token: try bearer(head))
    }

    func authenticate(token: String) throws -> Account {
        guard let claims = signer.verify(token, now: configuration.clock()),
            let record = try store.read({ try $0.key(claims.keyId) }),
            record.account.address == claims.subject
        else { throw Refusal.invalidToken }
        guard !record.isRevoked else { throw Refusal(401, "api key revoked") }
        return record.account
    }

    private func bearer(_ head: RequestHead) throws -> String {
        guard let value = head.header("Authorization"), value.hasPrefix(Self.scheme),
            value.count > Self.scheme.count
        else { throw Refusal(401, "missing or malformed Authorization header") }
        return String(value.dropFirst(Self.scheme.count))
    }
}
