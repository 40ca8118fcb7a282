import TestSupport

/// A TLS server with a certificate made for the occasion: `openssl s_server`.
final class TLSServer: Sendable {
    let port: UInt16
    let certificate: TestCertificate
    private let process: ToolProcess

    var url: String { "https://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - name: what the certificate is for, such as "IP:127.0.0.1".
    ///   - options: "-www" for a page at each request; without it ``write(_:)`` answers.
    init(for name: String = "IP:127.0.0.1", options: [String] = ["-www"]) throws {
        certificate = try TestCertificate(for: name)
        process = try ToolProcess(
            TestCertificate.tool,
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.file, "-key",
                certificate.keyFile,
            ] + options)
        let line = process.readOutput(until: "\n") { $0.contains("ACCEPT") }
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ToolProcess.Failure()
        }
        self.port = port
    }

    deinit { process.kill() }

    /// What clients sent, among the tool's own talk, up to `end`.
    func readOutput(until end: String) async -> String {
        let process = process
        return await withCheckedContinuation { continuation in
            startThread {
                continuation.resume(returning: process.readOutput(until: end) { _ in true })
            }
        }
    }

    /// Sends to the client.
    func write(_ bytes: [UInt8]) {
        process.write(bytes)
    }
}
