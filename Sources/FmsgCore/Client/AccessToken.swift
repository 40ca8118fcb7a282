#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A token and what a client reads of its claims (web API, section 3). The host verifies
/// signatures; a client only reads.
public struct AccessToken: Sendable, Equatable {
    /// The JWT: a secret.
    public let token: String
    /// When it ends by this machine's clock, in POSIX seconds; nil when nothing tells.
    public let expiresAt: Double?
    /// When it was received, by this machine's clock.
    public let receivedAt: Double
    /// The acting address.
    public let address: String
    /// The address that the acting one acts for; nil when it is its own.
    public let owner: String?
    /// The id of the API key it came from; nil for a token of an identity provider.
    public let keyId: String?

    /// Seconds before its end when a token counts as used up.
    static let refreshMargin = 300.0

    /// - Parameters:
    ///   - receivedAt: this machine's POSIX time when the token came.
    ///   - lifetime: seconds that the host said it lives; nil takes them from the claims. Told
    ///     as a span, it holds however wrong this machine's clock is.
    /// - Throws: ``FmsgError/noCredential(_:)`` when it is no JWT or names no address.
    public init(token: String, receivedAt: Double, lifetime: Double?) throws(FmsgError) {
        guard let claims = Self.claims(of: token) else {
            throw .noCredential("the token is not a JWT that can be read")
        }
        guard let address = Self.address(in: claims) else {
            throw .noCredential("the token names no fmsg address")
        }
        self.token = token
        self.receivedAt = receivedAt
        self.address = address
        owner = claims["owner"]?.string.flatMap { sameAddress($0, address) ? nil : $0 }
        keyId = claims["api_key_id"]?.string
        if let lifetime {
            expiresAt = receivedAt + lifetime
        } else {
            expiresAt = claims["exp"]?.double
        }
    }

    /// When it should be replaced: five minutes before its end, or at half its life when that is
    /// shorter than ten.
    var dueAt: Double? {
        expiresAt.map { $0 - min(Self.refreshMargin, max(0, $0 - receivedAt) / 2) }
    }

    /// Whether it should be replaced at `now`; also when the clock was set back behind it.
    public func isDue(at now: Double) -> Bool {
        guard let dueAt else { return false }
        return now >= dueAt || now < receivedAt - Self.refreshMargin
    }

    private static func claims(of token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 16 << 10 else { return nil }
        var encoded = parts[1].utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while encoded.count % 4 != 0 { encoded.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(encoded)) else { return nil }
        return (try? JSON.read(Array(data)))?.object
    }

    /// The acting address: `fmsg_address`, a namespaced claim that ends in it, or `sub`.
    private static func address(in claims: JSONObject) -> String? {
        let named = claims.fields.first {
            $0.key == "fmsg_address" || $0.key.hasSuffix("/fmsg_address")
        }
        let candidates = [named?.value.string, claims["sub"]?.string]
        return candidates.lazy.compactMap { $0 }.first { (try? FmsgAddress($0)) != nil }
    }
}
