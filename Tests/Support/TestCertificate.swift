import FmsgHost
import Glibc

/// A certificate made for the occasion by `openssl`, and the private authority that signed it. Its
/// files go with it.
public final class TestCertificate: Sendable {
    /// Whether the tool is there.
    public static let isAvailable = access(tool, X_OK) == 0

    public static let tool = "/usr/bin/openssl"

    private let holder: TemporaryFolder
    private var folder: String { holder.path }

    /// The certificate, in PEM.
    public var file: String { folder + "/certificate.pem" }
    /// Its private key, in PEM.
    public var keyFile: String { folder + "/key.pem" }
    /// The authority's certificate, in PEM.
    public var authorityFile: String { folder + "/authority.pem" }
    /// A directory that holds the authority's certificate under its hash.
    public var authorityDirectory: String { folder + "/hashed" }

    /// - Parameter name: what it is for, such as "IP:127.0.0.1" or "DNS:fmsg.test".
    public init(for name: String = "IP:127.0.0.1") throws {
        holder = try TemporaryFolder(prefix: "fmsg-tls")
        try make("authority", ["-subj", "/CN=fmsg test authority"], key: authorityKey)
        try make(
            "certificate",
            [
                "-subj", "/CN=fmsg test", "-addext", "subjectAltName=\(name)", "-CA", authorityFile,
                "-CAkey", authorityKey,
            ], key: keyFile)
        let hash = try ToolProcess(
            Self.tool, ["x509", "-noout", "-hash", "-in", authorityFile]
        ).waitForEnd().prefix { $0.isHexDigit }
        mkdir(authorityDirectory, 0o700)
        symlink(authorityFile, "\(authorityDirectory)/\(hash).0")
    }

    deinit { holder.remove() }

    private var authorityKey: String { folder + "/authority-key.pem" }

    private func make(_ name: String, _ options: [String], key: String) throws {
        try ToolProcess(
            Self.tool,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-keyout", key, "-out", "\(folder)/\(name).pem",
            ] + options
        ).waitForEnd()
    }
}
