/// The files a program may touch. Paths are handed on as they are.
public protocol FileSystem: Sendable {
    /// The whole of a file.
    /// - Throws: ``FileError``, also when it is longer than `limit` bytes.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]

    /// Puts `bytes` in the place of a file, whole or not at all, also when the machine stops:
    /// they go to a new file beside it, which is synced and takes its name.
    /// - Parameter mode: the permissions, whatever the umask.
    /// - Throws: ``FileError``; the old file is then as it was.
    func writeAtomically(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError)

    /// Adds `bytes` at the end of a file, which is made where it is missing (0600): they are on
    /// disk when this returns. With no bytes it shows whether the file can be written.
    /// - Throws: ``FileError``; a part of the bytes may stand in the file then.
    func append(_ path: String, _ bytes: [UInt8]) throws(FileError)

    /// Makes a folder, and those above it that are missing, for the owner alone (0700). One that
    /// is there is left as it is.
    func createFolder(_ path: String) throws(FileError)

    /// What stands at a path, links followed; nil when nothing does.
    func status(_ path: String) throws(FileError) -> FileStatus?

    /// Whether a name is taken, also by a link that leads nowhere.
    func isTaken(_ path: String) throws(FileError) -> Bool

    /// Opens an ordinary file to be read piece by piece.
    /// - Throws: ``FileError``, also for a folder, a pipe or a device.
    func open(_ path: String) throws(FileError) -> SourceFile

    /// Opens what can be read to its end: a file, or a pipe, whose writer may come later.
    /// - Throws: ``FileError``.
    func stream(_ path: String) throws(FileError) -> ByteInput

    /// Makes a file that is written piece by piece under a name of its own, or goes on with one
    /// that an earlier try left. No link is followed.
    /// - Returns: nil when another process writes it.
    /// - Throws: ``FileError``, also when something else, or another user's, has that name.
    func openPartial(_ path: String) throws(FileError) -> PartialFile?

    /// Whether this process may run the file.
    func isExecutable(_ path: String) -> Bool

    /// Removes a file, or an empty folder. It is no error when nothing is there.
    func remove(_ path: String) throws(FileError)

    /// The names in a folder, sorted, without `.` and `..`. Names that are not UTF-8 are left out.
    func list(_ folder: String) throws(FileError) -> [String]

    /// Takes the lock that a file stands for, without waiting; the file is made where it is
    /// missing (0600), and then holds this process's id in decimal.
    /// - Returns: the lock, held for as long as the value lives; nil when another has it.
    func lock(_ path: String) throws(FileError) -> FileLock?
}

/// What is known of a file without reading it.
public struct FileStatus: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case file
        case folder
        case other
    }

    public var kind: Kind
    /// Bytes.
    public var size: Int64
    /// The permission bits, as in 0o600.
    public var permissions: UInt32
    /// Whether it belongs to the user that this process acts for.
    public var isOwn: Bool

    public init(kind: Kind, size: Int64, permissions: UInt32, isOwn: Bool) {
        self.kind = kind
        self.size = size
        self.permissions = permissions
        self.isOwn = isOwn
    }

    /// Whether anyone but the owner may read or write it.
    public var isOpenToOthers: Bool { permissions & 0o077 != 0 }
}

/// Why something could not be done with a file.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Reason: Sendable, Equatable {
        case system(SystemError)
        /// It is longer than that many bytes.
        case tooLong(limit: Int)
        /// It is a folder, a pipe or the like.
        case notAFile
        /// It has another size or another time than when it was opened.
        case changed
        /// The name is taken already.
        case exists
    }

    /// What was tried: "read", "write".
    public let operation: String
    public let path: String
    public let reason: Reason

    public init(operation: String, path: String, reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// Whether it failed because nothing is there.
    public var isNotFound: Bool { reason == .system(.notFound) }

    public var description: String {
        let words =
            switch reason {
            case .system(let error): error.description
            case .tooLong(let limit): "it is longer than \(limit) bytes"
            case .notAFile: "it is not an ordinary file"
            case .changed: "it changed while it was read"
            case .exists: "there is one already"
            }
        return "cannot \(operation) \(DisplayText.escape(path)): \(words)"
    }
}
