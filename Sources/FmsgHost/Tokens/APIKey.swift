import CCrypto

/// An API key `fmsgk_<key id>_<secret>` (web API, section 3).
struct APIKey: Sendable {
    static let prefix = "fmsgk_"

    let id: String
    private let secret: String

    /// A new one. Its parts are plain Base64, so they may hold `+` and `/`, as on real hosts.
    static func generate() -> APIKey {
        APIKey(id: Base64.encode(Random.bytes(12)), secret: Base64.encode(Random.bytes(33)))
    }

    private init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// Reads a presented key; nil when it has not the form of one.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), text.utf8.count <= 512 else { return nil }
        let parts = text.dropFirst(Self.prefix.count)
            .split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(id: String(parts[0]), secret: String(parts[1]))
    }

    /// The whole key, shown once.
    var text: String { "\(Self.prefix)\(id)_\(secret)" }

    /// What is kept of the secret.
    var secretDigest: [UInt8] { SHA256.digest(Array(secret.utf8)) }

    /// Whether this is the key whose digest was kept, found out in constant time.
    func matches(_ digest: [UInt8]) -> Bool {
        let mine = secretDigest
        return mine.count == digest.count && CRYPTO_memcmp(mine, digest, mine.count) == 0
    }
}
