import CommandLineTool
import FmsgCore

/// The cache of tokens between processes: a file each, 0600, named by a hash of URL and key. A
/// file that is missing, torn, foreign or of no use counts as absent.
struct TokenFiles: Sendable {
    private enum Key {
        static let token = "token"
        static let receivedAt = "received_at"
        static let expiresAt = "expires_at"
    }

    let files: any FileSystem
    /// Nil when nothing is to be kept.
    let folder: String?
    /// Says what could not be kept, once.
    let warn: @Sendable (String) -> Void

    /// The cache for one key at one host.
    func cache(host: HostURL, key: String) -> TokenCache {
        guard let path = path(host: host, key: key) else { return .none }
        return TokenCache(load: { load(path) }, save: { save($0, path) })
    }

    /// Forgets what is kept for one key at one host.
    func remove(host: HostURL, key: String) throws(FileError) {
        guard let path = path(host: host, key: key) else { return }
        try files.remove(path)
    }

    private func path(host: HostURL, key: String) -> String? {
        folder.map { "\($0)/\(SHA256.hex(Array("\(host.text)\n\(key)".utf8))).json" }
    }

    private func load(_ path: String) -> AccessToken? {
        guard let status = try? files.status(path), !status.isOpenToOthers, status.isOwn,
            let bytes = try? files.read(path, limit: 64 << 10),
            let fields = (try? JSON.read(bytes))?.object, let token = fields[Key.token]?.string,
            let receivedAt = fields[Key.receivedAt]?.double
        else { return nil }
        let lifetime = fields[Key.expiresAt]?.double.map { $0 - receivedAt }
        return try? AccessToken(token: token, receivedAt: receivedAt, lifetime: lifetime)
    }

    private func save(_ token: AccessToken, _ path: String) {
        guard let folder else { return }
        let document: JSONObject = [
            Key.token: .string(token.token), Key.receivedAt: .double(token.receivedAt),
            Key.expiresAt: token.expiresAt.map(JSON.double) ?? .null,
        ]
        do throws(FileError) {
            try files.createFolder(folder)
            try files.writeAtomically(path, JSON.object(document).bytes, mode: 0o600)
        } catch {
            warn("the token is not kept: \(error)")
        }
    }
}
