#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An ordinary file that is read piece by piece, from any place, as often as needed. It stays the
/// same file though its name may vanish meanwhile.
public final class SourceFile: Sendable {
    public let path: String
    /// Bytes, when it was opened.
    public let size: Int64
    private let descriptor: Int32
    private let modified: (seconds: Int, nanoseconds: Int)

    /// Takes over the descriptor.
    init(_ path: String, descriptor: Int32) throws(FileError) {
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = FileError.last("read", path)
            close(descriptor)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(operation: "read", path: path, reason: .notAFile)
        }
        size = Int64(status.st_size)
        modified = Self.modified(status)
    }

    deinit { close(descriptor) }

    /// The bytes from `offset` on, at most `atMost` of them; none at the end.
    public func read(atMost: Int, at offset: Int64) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, atMost)) { buffer, count in
            var result: Int
            repeat {
                result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            } while result < 0 && errno == EINTR
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        guard failure == 0 else {
            throw FileError(
                operation: "read", path: path, reason: .system(SystemError(number: failure)))
        }
        return bytes
    }

    /// - Throws: ``FileError`` of reason ``FileError/Reason/changed`` when the file is not what it
    ///   was when it was opened.
    public func checkUnchanged() throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError.last("read", path) }
        guard Int64(status.st_size) == size, Self.modified(status) == modified else {
            throw FileError(operation: "read", path: path, reason: .changed)
        }
    }

    private static func modified(_ status: stat) -> (seconds: Int, nanoseconds: Int) {
        #if canImport(Darwin)
            (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}
