import FmsgCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The data folder: a database that one thread uses at a time, and a file for each attachment.
final class Store: Sendable {
    /// Where the attachments lie.
    let attachmentFolder: String
    // Safe: it is only used while `turn` is held, but for the moment of its making.
    private nonisolated(unsafe) let database: Database
    private let turn = Mutex(())
    private let folder: String

    /// Opens the data folder, and makes it where it is missing.
    /// - Throws: ``HostError`` of kind `dataFolder`.
    init(folder: String, firstMessageId: Int64) throws(HostError) {
        self.folder = folder
        attachmentFolder = folder + "/attachments"
        guard Files.makeFolder(folder), Files.makeFolder(attachmentFolder) else {
            throw HostError(
                .dataFolder, "the data folder \(folder) cannot be made: \(Files.lastError)")
        }
        // What SQLite makes beside the database gets the permissions of that.
        let path = folder + "/fmsg.db"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        do {
            let database = try Database(path: path)
            try Schema.prepare(database, firstMessageId: firstMessageId)
            self.database = database
        } catch {
            throw HostError(.dataFolder, "the data folder \(folder) cannot be used: \(error)")
        }
    }

    /// Runs `body` alone on the database.
    func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
        try turn.withLock { _ in try body(database) }
    }

    /// Runs `body` alone and as one transaction, which is on disk when this returns.
    func write<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
        try turn.withLock { _ in try database.transaction(body) }
    }

    /// The domain that the folder belongs to: the wanted one, which stays with it, else the one
    /// that it has, else `localhost`.
    /// - Throws: ``HostError`` when it has another than the wanted one.
    func domain(wanted: String?) throws(HostError) -> String {
        let kept = try access { database in
            try database.first("SELECT value FROM setting WHERE name = 'domain'") { $0.text(0) }
        }
        guard let wanted else { return kept ?? "localhost" }
        guard (try? FmsgAddress("@user@\(wanted)")) != nil else {
            throw HostError(.dataFolder, "\(JSON.string(wanted).text) is not a domain")
        }
        guard let kept else {
            try keepDomain(wanted)
            return wanted
        }
        guard sameAddress(kept, wanted) else {
            throw HostError(.dataFolder, "the data folder \(folder) belongs to the domain \(kept)")
        }
        return kept
    }

    func keepDomain(_ domain: String) throws(HostError) {
        try access {
            try $0.run("INSERT OR IGNORE INTO setting VALUES ('domain', ?)", .text(domain))
        }
    }

    /// ``write(_:)`` for the operator of the host.
    /// - Throws: the ``HostError`` that `body` throws, or one of kind `dataFolder`.
    func access<Result: Sendable>(
        _ body: (Database) throws -> Result
    ) throws(HostError) -> Result {
        do {
            return try write(body)
        } catch let error as HostError {
            throw error
        } catch {
            throw HostError(.dataFolder, "the data folder \(folder) cannot be used: \(error)")
        }
    }

    /// Takes the folder for this process until the returned lock goes.
    /// - Throws: ``HostError`` of kind `inUse` when another has it.
    func lock() throws(HostError) -> FolderLock {
        guard let lock = FolderLock(path: folder + "/host.lock") else {
            throw HostError(.inUse, "another host runs on the data folder \(folder)")
        }
        return lock
    }

    func path(ofFile file: String) -> String { "\(attachmentFolder)/\(file)" }

    func removeFiles(_ files: [String]) {
        for file in files { unlink(path(ofFile: file)) }
    }

    /// Removes files that no message has: what a crash left of uploads and of deletions.
    /// Only for whoever holds the lock, before it serves.
    func removeOrphans() throws {
        let kept = Set(try read { try $0.rows("SELECT file FROM attachment") { $0.text(0) } })
        removeFiles(Files.names(in: attachmentFolder).filter { !kept.contains($0) })
    }
}

/// A lock on a file that goes with its holder, also when that is killed.
final class FolderLock: Sendable {
    private let descriptor: Int32

    init?(path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
        // A process that is just being started still has a copy of each lock of its parent, also
        // of one that has gone: it is not to be taken for another host.
        var tries = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            tries += 1
            guard errno == EWOULDBLOCK || errno == EINTR, tries < 50 else {
                close(descriptor)
                return nil
            }
            usleep(10_000)
        }
    }

    deinit {
        // Closing is not enough: a child that is just being started has the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
