import CommandLineTool
import FmsgCore

/// The file of ``RecentMessages`` for one account, 0600. One that is missing, torn or foreign
/// counts as empty: completion never fails.
struct CompletionCache: Sendable {
    private static let limit = 1 << 20

    private let files: any FileSystem
    private let folder: String
    private let path: String

    /// Nil where nothing is to be kept.
    init?(for account: Account, _ runtime: Runtime) {
        let folders = Folders(runtime.environment, runtime.files)
        guard let folder = folders.completion else { return nil }
        let secret =
            switch account.credential {
            case .apiKey(let key): key
            case .token(let token): token
            }
        let name = [account.host.text, secret, account.actAs ?? ""].joined(separator: "\n")
        files = runtime.files
        self.folder = folder
        path = "\(folder)/\(SHA256.hex(Array(name.utf8))).json"
    }

    /// Whether completion has ever been asked for messages: until then commands keep nothing.
    var exists: Bool { (try? files.status(path))??.kind == .file }

    func load() -> RecentMessages {
        guard let status = try? files.status(path), !status.isOpenToOthers, status.isOwn,
            let bytes = try? files.read(path, limit: Self.limit),
            let document = (try? JSON.read(bytes))?.object
        else { return RecentMessages() }
        return RecentMessages(document)
    }

    func save(_ recent: RecentMessages) throws(FileError) {
        try files.createFolder(folder)
        try files.writeAtomically(path, JSON.object(recent.document).bytes, mode: 0o600)
    }

    func remove() throws(FileError) { try files.remove(path) }
}

extension CommandContext {
    /// Keeps what a list has shown for completion, where that is in use.
    func noteForCompletion(_ received: [FmsgMessage]) {
        guard let account = try? resolver.account(),
            let cache = CompletionCache(for: account, runtime), cache.exists
        else { return }
        var recent = cache.load()
        recent.add(received: received)
        // What is not kept is only not proposed.
        try? cache.save(recent)
    }
}
