import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file on its way: written under a name of its own, and given its final one when it is whole.
/// It is locked for as long as this lives. One thread writes at a time.
public final class PartialFile: Sendable {
    /// What became of the wish to write a file under a name.
    enum Claim {
        case ours(PartialFile)
        /// Another process writes it.
        case taken
        /// The name went to another file meanwhile.
        case stale
    }

    /// Where it stands until it is whole.
    public let path: String
    private let descriptor: Int32
    private let length: Mutex<Int64>

    private init(_ path: String, descriptor: Int32, size: Int64) {
        self.path = path
        self.descriptor = descriptor
        length = Mutex(size)
    }

    deinit {
        // Closing is not enough: a child that is just being started has the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes over the descriptor, and locks the file.
    static func lock(_ path: String, descriptor: Int32) throws(FileError) -> Claim {
        var (open, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &open) == 0 else {
            let error = FileError.last("write", path)
            close(descriptor)
            if error.reason == .system(SystemError(number: EWOULDBLOCK)) { return .taken }
            throw error
        }
        guard lstat(path, &named) == 0, named.st_ino == open.st_ino, named.st_dev == open.st_dev
        else {
            close(descriptor)
            return .stale
        }
        let isOurs = open.st_mode & S_IFMT == S_IFREG && open.st_uid == geteuid()
        guard isOurs, open.st_nlink == 1 else {
            close(descriptor)
            throw FileError(operation: "write", path: path, reason: .exists)
        }
        return .ours(PartialFile(path, descriptor: descriptor, size: Int64(open.st_size)))
    }

    /// Bytes that it holds.
    public var size: Int64 { length.withLock { $0 } }

    /// Adds bytes at the end.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        let start = size
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(start + Int64(done)))
            }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw FileError.last("write", path)
            }
        }
        length.withLock { $0 = start + Int64(bytes.count) }
    }

    /// Throws away all beyond the first bytes.
    public func cut(to size: Int64) throws(FileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError.last("write", path) }
        length.withLock { $0 = size }
    }

    /// Gives it its final name. A link of that name is replaced, never followed.
    /// - Throws: ``FileError``, of reason ``FileError/Reason/exists`` when the name is taken and
    ///   not to be replaced.
    public func finish(as name: String, replacing: Bool) throws(FileError) {
        let result = replacing ? rename(path, name) : csystem_rename_new(path, name)
        guard result != 0 else { return }
        guard errno != EEXIST else {
            throw FileError(operation: "write", path: name, reason: .exists)
        }
        throw FileError.last("write", name)
    }

    /// Removes it.
    public func discard() { unlink(path) }
}
