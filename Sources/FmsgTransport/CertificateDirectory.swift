#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A directory in which OpenSSL finds a certificate by the hash of its subject.
enum CertificateDirectory {
    /// Whether `path` holds at least one certificate under a hashed name ("5ed36f99.0"). In a
    /// container it may hold nothing but the bundle.
    static func isHashed(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let isHashedName = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.prefix(while: { $0 != 0 }).suffix(2).elementsEqual(".0".utf8)
            }
            if isHashedName { return true }
        }
        return false
    }
}
