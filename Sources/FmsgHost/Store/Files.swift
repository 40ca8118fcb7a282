#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few file operations that a host needs.
enum Files {
    /// Writes all bytes; false when the disk does not take them.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
                send($0, to: descriptor)
            }
            if written < 0 {
                guard errno == EINTR else { return false }
                continue
            }
            rest = rest.dropFirst(written)
        }
        return true
    }

    private static func send(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Makes the names in a folder durable.
    static func syncFolder(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Makes a folder and its missing parents, open to the owner alone.
    static func makeFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return isFolder(path) }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex,
            makeFolder(String(path[..<slash]))
        else { return false }
        return mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder but `.` and `..`.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The whole content of a small file, or nil when it cannot be read or is longer.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: limit + 1)
        while content.count <= limit {
            let count = readChunk(descriptor, &chunk)
            if count == 0 { return content }
            if count < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            content += chunk[..<count]
        }
        return nil
    }

    private static func readChunk(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, &chunk, chunk.count)
        #else
            Darwin.read(descriptor, &chunk, chunk.count)
        #endif
    }

    /// What the last failed call said.
    static var lastError: String { String(cString: strerror(errno)) }
}
