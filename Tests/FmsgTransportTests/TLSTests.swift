import FmsgCore
import TestSupport
import Testing
import WebSocketFrames

@testable import FmsgTransport

@Suite(.enabled(if: TestCertificate.isAvailable, "needs the openssl tool"))
struct TLSTests {
    @Test func anUnknownCertificateIsRefused() async throws {
        let server = try TLSServer()
        for _ in 0..<2 {
            let error = try await failure { () throws(TransportError) in
                try await transport().send(get(server.url, headers: [Header("A", "hush")]))
            }
            #expect(error.kind == .tls)
            #expect(!error.mayHaveArrived)
            #expect(error.message.contains("127.0.0.1:\(server.port)"))
            #expect(error.message.contains("certificate"))
        }
        let error = try await failure { () throws(TransportError) in
            try await transport().openSocket(get(server.url))
        }
        #expect(error.kind == .tls)
        #expect(!error.mayHaveArrived)
    }

    @Test func aCertificateOfTheSettingsIsTrusted() async throws {
        let server = try TLSServer()
        let byFile = transport { $0.certificateFile = server.certificate.authorityFile }
        #expect(try await byFile.send(get(server.url)).status == 200)
        let byDirectory = transport {
            $0.certificateDirectory = server.certificate.authorityDirectory
        }
        #expect(try await byDirectory.send(get(server.url)).status == 200)
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        let server = try TLSServer(for: "DNS:elsewhere.invalid")
        let transport = transport { $0.certificateFile = server.certificate.authorityFile }
        let error = try await failure { () throws(TransportError) in
            try await transport.send(get(server.url))
        }
        #expect(error.kind == .tls)
        #expect(!error.mayHaveArrived)
    }

    @Test func aMissingCertificateFileIsAnError() async throws {
        let server = try TLSServer()
        let transport = transport { $0.certificateFile = "/nowhere/at/all.pem" }
        let error = try await failure { () throws(TransportError) in
            try await transport.send(get(server.url))
        }
        #expect(error.kind == .tls)
    }

    @Test func aWebSocketRunsOverTLS() async throws {
        let server = try TLSServer(options: [])
        let transport = transport { $0.certificateFile = server.certificate.authorityFile }
        let opening = Task { try await transport.openSocket(get(server.url + "/fmsg/ws")) }
        let request = await server.readOutput(until: "\r\n\r\n")
        let keyLine = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let key = try #require(keyLine).dropFirst("Sec-WebSocket-Key: ".count)
        let headers = SocketPeer.headers(for: String(key)).map { $0 + "\r\n" }.joined()
        // All in one TLS record, so that no wait on the socket tells of the frames.
        let frames = ["one", "two", "three"].flatMap {
            WebSocketFrame(.text, Array($0.utf8)).encoded(mask: nil)
        }
        server.write(Array("HTTP/1.1 101 Switching Protocols\r\n\(headers)\r\n".utf8) + frames)
        guard case .open(let socket) = try await opening.value else {
            Issue.record("refused")
            return
        }
        for text in ["one", "two", "three"] {
            #expect(try await socket.receive() == .message(Array(text.utf8)))
        }
        await socket.close(code: 1000)
    }

    @Test func theSystemsDirectoryIsKnownForHashedOrNot() throws {
        let server = try TLSServer()
        #expect(CertificateDirectory.isHashed(server.certificate.authorityDirectory))
        #expect(!CertificateDirectory.isHashed("/tmp/nowhere"))
        #expect(!CertificateDirectory.isHashed("/proc/self"))
    }
}
