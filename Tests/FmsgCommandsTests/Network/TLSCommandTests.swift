import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// Commands over a real TLS server with a private authority, requests and event sockets alike.
@Suite(.enabled(if: TestCertificate.isAvailable, "needs the openssl tool"))
struct TLSCommandTests {
    private struct Site {
        let host: TestHost
        let certificate: TestCertificate
        let relay: TLSRelay
        var bob: CommandLine

        init(for name: String = "IP:127.0.0.1") throws {
            host = try TestHost()
            certificate = try TestCertificate(for: name)
            relay = try TLSRelay(to: host.port, certificate)
            bob = CommandLine(url: "https://127.0.0.1:\(relay.port)", key: host.key("bob"))
        }

        func stop() {
            relay.stop()
            host.stop()
        }
    }

    @Test(arguments: ["SSL_CERT_FILE", "SSL_CERT_DIR"])
    func aPrivateAuthorityIsTrusted(_ variable: String) async throws {
        var site = try Site()
        defer { site.stop() }
        let certificate = site.certificate
        site.bob.environment[variable] =
            variable == "SSL_CERT_DIR" ? certificate.authorityDirectory : certificate.authorityFile
        _ = try await CommandLine(site.host, as: "alice").send("@bob@example.com", "in private")
        #expect(await site.bob.run("inbox").out.contains("in private"))
        let watch = try site.bob.start("watch", "--unread", "--once", "--timeout", "60")
        #expect(try await watch.nextLine().contains("in private"))
        #expect(await watch.exitCode() == .done)
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        var site = try Site()
        defer { site.stop() }
        site.host.requests.clear()
        let run = await site.bob.run("inbox")
        #expect(run.exitCode == .hostUnavailable && run.err.contains("certificate"))
        // With a token the socket is what is asked for first.
        site.bob.environment["FMSG_TOKEN"] = try site.host.ownerToken("bob")
        let watch = try site.bob.start("watch", "--json")
        let line = try await watch.nextLine()
        watch.cancel()
        #expect(line.contains("disconnected") && line.contains("certificate"), "\(line)")
        #expect(site.host.requests.all.isEmpty)
    }

    @Test func anotherHostsCertificateIsRefused() async throws {
        var site = try Site(for: "DNS:elsewhere.test")
        defer { site.stop() }
        site.bob.environment["SSL_CERT_FILE"] = site.certificate.authorityFile
        site.host.requests.clear()
        let run = await site.bob.run("inbox")
        #expect(run.exitCode == .hostUnavailable && site.host.requests.all.isEmpty)
        #expect(run.err.contains("127.0.0.1"))
    }

    @Test func aMissingFileOfAuthoritiesIsNamed() async throws {
        var site = try Site()
        defer { site.stop() }
        site.bob.environment["SSL_CERT_FILE"] = "/nonexistent/authorities.pem"
        let run = await site.bob.run("inbox")
        #expect(run.exitCode == .hostUnavailable && run.out.isEmpty)
        #expect(run.err.contains("/nonexistent/authorities.pem"), "\(run.err)")
    }
}
