import CCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where an upload is put while it comes in, and how much of it is taken.
struct UploadTarget: Sendable {
    var folder: String
    /// Bytes.
    var limit: Int
}

/// How an upload ended.
enum Upload: Sendable {
    /// The form had no such field with a file name.
    case missing
    case tooLarge
    /// The disk did not take it.
    case failed
    case stored(StoredUpload)
}

/// A file that came in, durable on disk under a name of its own.
struct StoredUpload: Sendable {
    /// The name it has in the form.
    var name: String
    /// The name of the file in the target's folder.
    var file: String
    /// Bytes.
    var size: Int
    var sha256: [UInt8]
}

/// Writes one upload to a new file as it comes in, on one thread at a time.
final class FileUpload {
    private let target: UploadTarget
    private let name: String
    private let file = Random.hex(bytes: 16)
    private var descriptor: Int32
    private var hash = SHA256()
    private var size = 0
    private var failure: Upload?

    init(_ target: UploadTarget, name: String) {
        self.target = target
        self.name = name
        descriptor = open(
            "\(target.folder)/\(file)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { failure = .failed }
    }

    deinit { if descriptor >= 0 { remove() } }

    /// Whether a piece at `offset` is the next one of this file, and not of a second file in the
    /// same form.
    func follows(_ offset: UInt64) -> Bool { failure != nil || offset == UInt64(size) }

    func write(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        guard bytes.count <= target.limit - size else {
            failure = .tooLarge
            return
        }
        guard Files.write(bytes, to: descriptor) else {
            failure = .failed
            return
        }
        hash.update(bytes)
        size += bytes.count
    }

    /// Makes the file durable, or removes it when the upload failed. To be called once.
    func finish() -> Upload {
        if failure == nil, fsync(descriptor) != 0 || !Files.syncFolder(target.folder) {
            failure = .failed
        }
        if let failure {
            remove()
            return failure
        }
        close(descriptor)
        descriptor = -1
        return .stored(StoredUpload(name: name, file: file, size: size, sha256: hash.digest()))
    }

    private func remove() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        unlink("\(target.folder)/\(file)")
    }
}
