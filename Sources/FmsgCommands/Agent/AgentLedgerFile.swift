import CommandLineTool
import FmsgCore
import Synchronization

/// The ledger of an agent on disk: one for each host and address, written by the one agent that
/// holds its lock.
final class AgentLedgerFile: Sendable {
    private struct State {
        var lock: FileLock?
        var ledger = AgentLedger()
        /// Bytes added since it was last written anew.
        var added = 0
    }

    /// The longest ledger that is read, in bytes.
    private static let limit = 256 << 20
    /// How many bytes are added before it is written anew, without what is over.
    private static let rewriteAfter = 8 << 20

    private let files: any FileSystem
    private let folder: String
    private let path: String
    private let state = Mutex(State())

    private var lockPath: String { path + ".lock" }

    /// - Parameter folder: where it stands; made where it is missing.
    init(files: any FileSystem, folder: String, host: HostURL, address: String) {
        self.files = files
        self.folder = folder
        path = "\(folder)/\(StateFile.name("agent", host: host, address: address, "jsonl"))"
    }

    /// What it says, and what was added.
    var ledger: AgentLedger { state.withLock { $0.ledger } }

    /// The id of the process that holds the lock, as the lock names it.
    var holder: String? {
        guard let bytes = try? files.read(lockPath, limit: 64) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }).map { String($0) }
    }

    /// Takes the lock and reads the ledger. A damaged one is set aside; what can be read of it
    /// holds on.
    /// - Returns: false when another agent has the lock.
    /// - Throws: ``FileError`` when it cannot be written.
    func open(warn: (String) -> Void) throws(FileError) -> Bool {
        try files.createFolder(folder)
        guard let lock = try files.lock(lockPath) else { return false }
        try files.append(path, [])
        let bytes = try files.read(path, limit: Self.limit)
        let (ledger, isDamaged) = AgentLedger.read(bytes)
        if isDamaged {
            let aside = "\(path).damaged"
            try files.writeAtomically(aside, bytes, mode: 0o600)
            warn(
                "the agent's ledger is damaged; it is set aside as \(aside), "
                    + "and what can be read of it holds")
        }
        if isDamaged || bytes.count > Self.rewriteAfter {
            try files.writeAtomically(path, ledger.bytes, mode: 0o600)
        }
        state.withLock { $0 = State(lock: lock, ledger: ledger) }
        return true
    }

    /// Begins anew, since it is of a host that is there no more; what it said is kept beside it.
    /// - Returns: where.
    func beginAnew() throws(FileError) -> String {
        let aside = "\(path).other-host"
        try files.writeAtomically(aside, ledger.bytes, mode: 0o600)
        try files.writeAtomically(path, [], mode: 0o600)
        state.withLock { state in
            state.ledger = AgentLedger()
            state.added = 0
        }
        return aside
    }

    /// What it says, without lock; nothing when it cannot be read.
    func peek() -> AgentLedger {
        (try? files.read(path, limit: Self.limit)).map { AgentLedger.read($0).ledger }
            ?? AgentLedger()
    }

    /// Adds a record: it is on disk when this returns.
    func add(_ record: AgentLedger.Record) throws(FileError) {
        let error = state.withLock { state -> FileError? in
            do throws(FileError) {
                let line = record.line
                try files.append(path, line)
                state.ledger.add(record)
                state.added += line.count
                if state.added > Self.rewriteAfter {
                    try files.writeAtomically(path, state.ledger.bytes, mode: 0o600)
                    state.added = 0
                }
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }
}
