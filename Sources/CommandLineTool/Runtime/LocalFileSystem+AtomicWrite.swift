import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LocalFileSystem {
    public func writeAtomically(
        _ path: String, _ bytes: [UInt8], mode: UInt32
    ) throws(FileError) {
        let temporary = try createBeside(path)
        do throws(FileError) {
            defer { close(temporary.descriptor) }
            try write(bytes, to: temporary.descriptor, "write", path)
            let permissions = mode_t(truncatingIfNeeded: mode & 0o777)
            guard fchmod(temporary.descriptor, permissions) == 0, fsync(temporary.descriptor) == 0
            else { throw FileError.last("write", path) }
        } catch {
            unlink(temporary.path)
            throw error
        }
        guard rename(temporary.path, path) == 0 else {
            let error = FileError.last("write", path)
            unlink(temporary.path)
            throw error
        }
        try syncFolder(of: path)
    }

    public func append(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let isNew = try status(path) == nil
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK
        let descriptor = try open("write", path, flags, mode: 0o600)
        defer { close(descriptor) }
        try write(bytes, to: descriptor, "write", path)
        guard fsync(descriptor) == 0 else { throw FileError.last("write", path) }
        if isNew { try syncFolder(of: path) }
    }

    /// A new file of its own name in the folder of `path`, for the owner alone.
    private func createBeside(
        _ path: String
    ) throws(FileError) -> (path: String, descriptor: Int32) {
        for _ in 0..<16 {
            let name = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
            do throws(FileError) {
                let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                return (name, try open("write", name, flags, mode: 0o600))
            } catch {
                guard error.reason == .system(SystemError(number: EEXIST)) else {
                    throw FileError(operation: "write", path: path, reason: error.reason)
                }
            }
        }
        throw FileError(
            operation: "write", path: path, reason: .system(SystemError(number: EEXIST)))
    }

    /// Makes the new name last. Some file systems cannot sync a folder; that is no failure.
    private func syncFolder(of path: String) throws(FileError) {
        let descriptor = try open("write", LocalFileSystem.folder(of: path), O_RDONLY)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileError.last("write", path)
        }
    }
}
