#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of its own for a throw-away host, open to the owner alone.
public struct TemporaryFolder: Sendable {
    public let path: String

    /// Makes a folder with a fresh name inside `parent`.
    /// - Throws: ``HostError`` of kind `dataFolder`.
    public init(in parent: String = "/tmp", prefix: String = "fmsg-host") throws(HostError) {
        path = "\(parent)/\(prefix)-\(Random.hex(bytes: 8))"
        guard mkdir(path, 0o700) == 0 else {
            throw HostError(.dataFolder, "\(path) cannot be made: \(Files.lastError)")
        }
    }

    /// Removes the folder with all that is in it. No link is followed.
    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in Files.names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
