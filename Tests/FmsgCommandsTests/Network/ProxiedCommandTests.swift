import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// Commands that reach their host by way of a real proxy, requests and event sockets alike. The
/// host's name is known to the proxy alone.
@Suite(.enabled(if: TestCertificate.isAvailable, "needs the openssl tool"))
struct ProxiedCommandTests {
    private static let name = "fmsg.test"
    private static let credentials = "user:hush"

    /// A host that can be reached by way of the proxy alone.
    private final class Site: Sendable {
        let host: TestHost
        let certificate: TestCertificate
        let relay: TLSRelay
        let proxy: ForwardProxy
        let bob: CommandLine
        let alice: CommandLine

        init(_ scheme: String, password: String = credentials) throws {
            host = try TestHost()
            certificate = try TestCertificate(for: "DNS:\(name)")
            relay = try TLSRelay(to: host.port, certificate)
            proxy = try ForwardProxy(
                to: [name: scheme == "https" ? relay.port : host.port], credentials: credentials)
            var line = CommandLine(host, as: "bob")
            line.environment["FMSG_API_URL"] = "\(scheme)://\(name)"
            line.environment["\(scheme)_proxy"] = "http://\(password)@127.0.0.1:\(proxy.port)"
            line.environment["SSL_CERT_FILE"] = certificate.authorityFile
            line.environment["FMSG_ALLOW_INSECURE_HTTP"] = "1"
            bob = line
            alice = CommandLine(host, as: "alice")
        }

        deinit {
            proxy.stop()
            relay.stop()
            host.stop()
        }
    }

    @Test(arguments: ["http", "https"])
    func requestsGoThroughIt(_ scheme: String) async throws {
        let site = try Site(scheme)
        _ = try await site.alice.send("@bob@example.com", "by proxy")
        let inbox = await site.bob.run("inbox")
        #expect(inbox.exitCode == .done && inbox.out.contains("by proxy"), "\(inbox.err)")
        #expect(await site.bob.run("reply", "-1", "yes").exitCode == .done)
        let requests = site.proxy.requests
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { ($0.method == "CONNECT") == (scheme == "https") })
        if scheme == "https" {
            #expect(requests.allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test(arguments: [
        ("http", "HTTP_PROXY"), ("http", "all_proxy"), ("http", "ALL_PROXY"),
        ("https", "HTTPS_PROXY"), ("https", "all_proxy"), ("https", "ALL_PROXY"),
    ])
    func eachOfTheUsualVariablesNamesIt(_ scheme: String, _ variable: String) async throws {
        let site = try Site(scheme)
        var bob = site.bob
        bob.environment[variable] = bob.environment["\(scheme)_proxy"]
        bob.environment["\(scheme)_proxy"] = nil
        #expect(await bob.run("inbox").exitCode == .done && !site.proxy.requests.isEmpty)
        // That of the other scheme is not asked.
        bob.environment[variable] = nil
        let other = scheme == "http" ? "https_proxy" : "http_proxy"
        bob.environment[other] = "http://127.0.0.1:\(site.proxy.port)"
        #expect(await bob.run("inbox").exitCode == .hostUnavailable)
    }

    @Test(arguments: ["http", "https"])
    func theEventSocketGoesThroughIt(_ scheme: String) async throws {
        let site = try Site(scheme)
        let watch = try site.bob.start("watch", "--json", "--once", "--timeout", "60")
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        _ = try await site.alice.send("@bob@example.com", "by socket")
        #expect(try await watch.nextLine().contains("by socket"))
        #expect(await watch.exitCode() == .done)
        let tunnels = site.proxy.requests.filter { $0.method == "CONNECT" }
        #expect(tunnels.allSatisfy { $0.path.hasPrefix(Self.name + ":") } && !tunnels.isEmpty)
    }

    @Test(arguments: ["http", "https"])
    func aWrongPasswordIsToldAndNeverShown(_ scheme: String) async throws {
        let site = try Site(scheme, password: "user:wr0ng")
        let run = await site.bob.run("inbox", "--verbose")
        #expect(run.exitCode == .hostUnavailable && run.err.contains("407"), "\(run.err)")
        var owner = site.bob
        owner.environment["FMSG_TOKEN"] = try site.host.ownerToken("bob")
        let watch = try owner.start("watch", "--json", "--verbose")
        let line = try await watch.nextLine()
        watch.cancel()
        _ = await watch.exitCode()
        #expect(line.contains("disconnected") && line.contains("407"), "\(line)")
        for secret in ["wr0ng", "hush", "fmsgk_", "eyJ"] {
            #expect(!run.err.contains(secret) && !(watch.said + line).contains(secret))
        }
        #expect(site.proxy.requests.allSatisfy { $0.header("Upgrade") == nil })
    }

    /// The proxy itself may speak TLS, and its certificate is checked as any other.
    @Test func aProxyMaySpeakTLS() async throws {
        let site = try Site("https")
        let certificate = try TestCertificate(for: "IP:127.0.0.1")
        let front = try TLSRelay(to: site.proxy.port, certificate)
        defer { front.stop() }
        var bob = site.bob
        bob.environment["https_proxy"] = "https://\(Self.credentials)@127.0.0.1:\(front.port)"
        let distrusted = await bob.run("inbox")
        #expect(distrusted.exitCode == .hostUnavailable && distrusted.err.contains("certificate"))
        let both = try [site.certificate, certificate].flatMap {
            try LocalFileSystem().read($0.authorityFile, limit: 1 << 16)
        }
        let folder = try TemporaryFolder(prefix: "fmsg-test-authorities")
        defer { folder.remove() }
        let file = folder.path + "/both.pem"
        try LocalFileSystem().writeAtomically(file, both, mode: 0o600)
        bob.environment["SSL_CERT_FILE"] = file
        #expect(await bob.run("inbox").exitCode == .done)
    }

    /// 0.0.0.0 is this machine, but not by a name of loopback, for which no proxy is asked at all.
    @Test(arguments: ["http", "https"], ["0.0.0.0", "example.com,0.0.0.0", "*"])
    func exceptionsAreReachedDirectly(_ scheme: String, _ exceptions: String) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let certificate = try TestCertificate(for: "IP:0.0.0.0")
        let relay = try TLSRelay(to: host.port, certificate)
        defer { relay.stop() }
        let port = scheme == "https" ? relay.port : host.port
        var bob = CommandLine(url: "\(scheme)://0.0.0.0:\(port)", key: host.key("bob"))
        bob.environment["\(scheme)_proxy"] = "http://127.0.0.1:\(try ScriptedServer.closedPort())"
        bob.environment["SSL_CERT_FILE"] = certificate.authorityFile
        bob.environment["FMSG_ALLOW_INSECURE_HTTP"] = "1"
        #expect(await bob.run("inbox").exitCode == .hostUnavailable)
        bob.environment["NO_PROXY"] = exceptions
        let inbox = await bob.run("inbox")
        #expect(inbox.exitCode == .done, "\(inbox.err)")
        let watch = try bob.start("watch", "--json")
        #expect(try await watch.nextLine() == #"{"type":"ready"}"#)
        watch.cancel()
    }
}
