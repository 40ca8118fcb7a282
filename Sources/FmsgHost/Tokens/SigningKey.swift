import CCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The Ed25519 key pair of a host (RFC 8032).
final class SigningKey: Sendable {
    private static let length = 32
    // Safe: the pair is only read after it is made, which libcrypto allows from any thread.
    private nonisolated(unsafe) let pair: OpaquePointer

    /// Makes the pair of a 32-byte seed; nil when libcrypto cannot.
    init?(seed: [UInt8]) {
        guard seed.count == Self.length,
            let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        else { return nil }
        self.pair = pair
    }

    deinit { EVP_PKEY_free(pair) }

    /// The key kept in the data folder, made when there is none yet: a file for the owner alone.
    /// - Throws: ``HostError`` of kind `dataFolder`.
    static func load(folder: String) throws(HostError) -> SigningKey {
        let path = folder + "/signing.key"
        if access(path, F_OK) != 0 { try create(path, folder: folder) }
        guard let seed = Files.read(path, atMost: length), let key = SigningKey(seed: seed) else {
            throw HostError(.dataFolder, "the signing key \(path) cannot be used")
        }
        return key
    }

    /// Writes a new seed under a name of its own and links it, so that of two hosts that start
    /// at once both use the first one's.
    private static func create(_ path: String, folder: String) throws(HostError) {
        let draft = "\(path).\(Random.hex(bytes: 8))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let isWritten =
            descriptor >= 0
            && Random.bytes(length).withUnsafeBytes { Files.write($0, to: descriptor) }
            && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        defer { unlink(draft) }
        let isLinked = isWritten && (link(draft, path) == 0 || errno == EEXIST)
        guard isLinked, Files.syncFolder(folder) else {
            throw HostError(.dataFolder, "the signing key \(path) cannot be written")
        }
    }

    /// The 64 bytes of a signature; nil when libcrypto fails.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, pair) == 1,
            EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
            length == signature.count
        else { return nil }
        return signature
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, pair) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
