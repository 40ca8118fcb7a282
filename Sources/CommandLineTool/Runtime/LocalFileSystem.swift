import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of this machine.
public struct LocalFileSystem: FileSystem {
    public init() {}

    public func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = try open(path)
        var bytes: [UInt8] = []
        while true {
            let more = try file.read(atMost: 1 << 16, at: Int64(bytes.count))
            if more.isEmpty { return bytes }
            guard more.count <= limit - bytes.count else {
                throw FileError(operation: "read", path: path, reason: .tooLong(limit: limit))
            }
            bytes += more
        }
    }

    public func createFolder(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) == 0 { return }
        let error = SystemError.last
        switch error.number {
        case EEXIST where try status(path)?.kind == .folder: return
        case ENOENT:
            let above = LocalFileSystem.folder(of: path)
            guard above != path, above != ".", above != "/" else { break }
            try createFolder(above)
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
            throw FileError.last("create", path)
        default: break
        }
        throw FileError(operation: "create", path: path, reason: .system(error))
    }

    public func status(_ path: String) throws(FileError) -> FileStatus? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError.last("look at", path)
        }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        return FileStatus(
            kind: kind, size: Int64(status.st_size), permissions: UInt32(status.st_mode & 0o7777),
            isOwn: status.st_uid == geteuid())
    }

    public func isTaken(_ path: String) throws(FileError) -> Bool {
        var status = stat()
        guard lstat(path, &status) != 0 else { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw FileError.last("look at", path)
    }

    public func open(_ path: String) throws(FileError) -> SourceFile {
        // A pipe would make opening it wait for a writer.
        try SourceFile(path, descriptor: try open("read", path, O_RDONLY | O_NONBLOCK))
    }

    public func stream(_ path: String) throws(FileError) -> ByteInput {
        // Reading waits for the writer of a pipe, opening would block.
        let descriptor = OpenDescriptor(try open("read", path, O_RDONLY | O_NONBLOCK))
        let input = ByteInput(descriptor: descriptor.number, name: path)
        return ByteInput(name: path) { [descriptor] atMost async throws(InputError) in
            defer { withExtendedLifetime(descriptor) {} }
            return try await input.read(atMost: atMost)
        }
    }

    public func openPartial(_ path: String) throws(FileError) -> PartialFile? {
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK
        // The lock of a file that was renamed between the two calls is no lock of this name.
        for _ in 0..<16 {
            let descriptor = try open("write", path, flags, mode: 0o666)
            switch try PartialFile.lock(path, descriptor: descriptor) {
            case .taken: return nil
            case .stale: continue
            case .ours(let file): return file
            }
        }
        return nil
    }

    public func isExecutable(_ path: String) -> Bool {
        guard let status = try? status(path), status.kind == .file else { return false }
        return access(path, X_OK) == 0
    }

    public func remove(_ path: String) throws(FileError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        if errno == EISDIR || errno == EPERM, rmdir(path) == 0 { return }
        throw FileError.last("remove", path)
    }

    public func list(_ folder: String) throws(FileError) -> [String] {
        guard let stream = opendir(folder) else { throw FileError.last("list", folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // In its place: an entry may be shorter than its type, and a copy reads beyond it.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    public func lock(_ path: String) throws(FileError) -> FileLock? {
        let descriptor = try open("lock", path, O_RDWR | O_CREAT, mode: 0o600)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = FileError.last("lock", path)
            close(descriptor)
            if error.reason == .system(SystemError(number: EWOULDBLOCK)) { return nil }
            throw error
        }
        let lock = FileLock(descriptor)
        guard ftruncate(descriptor, 0) == 0 else { throw FileError.last("lock", path) }
        try write(Array("\(getpid())\n".utf8), to: descriptor, "lock", path)
        return lock
    }

    func open(
        _ operation: String, _ path: String, _ flags: Int32, mode: UInt32 = 0
    ) throws(FileError) -> Int32 {
        guard !path.utf8.contains(0) else {
            throw FileError(
                operation: operation, path: path, reason: .system(SystemError(number: EINVAL)))
        }
        let descriptor = csystem_open(path, flags, mode_t(truncatingIfNeeded: mode))
        guard descriptor >= 0 else { throw FileError.last(operation, path) }
        return descriptor
    }

    func write(
        _ bytes: [UInt8], to descriptor: Int32, _ operation: String, _ path: String
    ) throws(FileError) {
        let output = ByteOutput(descriptor: descriptor, name: path, capacity: 0)
        do throws(OutputError) {
            try output.write(bytes)
        } catch {
            let reason =
                switch error {
                case .failed(_, let error): error
                case .readerGone: SystemError(number: EPIPE)
                }
            throw FileError(operation: operation, path: path, reason: .system(reason))
        }
    }

    /// The folder that a path stands in, by its text alone.
    static func folder(of path: String) -> String {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}

/// A lock that is held for as long as this lives.
public final class FileLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Closing is not enough: a child that is just being started has the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

extension FileError {
    /// The error of the system call that has just failed on this thread.
    static func last(_ operation: String, _ path: String) -> FileError {
        FileError(operation: operation, path: path, reason: .system(.last))
    }
}
