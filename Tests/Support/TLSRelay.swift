import COpenSSL
import Glibc

/// A real TLS server on loopback (OpenSSL) in front of a server that speaks none: what it decrypts
/// goes on to that, and the answers come back.
public final class TLSRelay: Sendable {
    private let server: ScriptedServer
    private let certificate: TestCertificate

    public var port: UInt16 { server.port }

    /// - Parameter port: where the server behind it listens.
    public init(to port: UInt16, _ certificate: TestCertificate) throws {
        self.certificate = certificate
        server = try ScriptedServer { connection in
            guard let session = TLSSession(certificate), let host = HostConnection(port: port)
            else { return }
            Self.relay(connection, session, host)
            host.close()
        }
    }

    public func stop() { server.stop() }

    deinit { stop() }

    private static func relay(
        _ client: ScriptedConnection, _ session: TLSSession, _ host: HostConnection
    ) {
        while true {
            var waits = [client.descriptor, host.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&waits, 2, -1) > 0 || errno == EINTR else { return }
            if waits[0].revents != 0 {
                let cipher = client.read()
                guard !cipher.isEmpty, let plain = session.receive(cipher),
                    plain.isEmpty || host.write(plain)
                else { return client.interrupt() }
            }
            if waits[1].revents != 0 {
                let plain = host.read()
                guard !plain.isEmpty else {
                    session.end()
                    client.write(session.takeOutput())
                    return
                }
                session.send(plain)
            }
            let output = session.takeOutput()
            guard output.isEmpty || client.write(output) else { return }
        }
    }
}

/// One TLS connection over bytes that somebody else carries, for one thread.
private final class TLSSession {
    private let context: OpaquePointer
    private let connection: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    init?(_ certificate: TestCertificate) {
        guard let context = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(context, certificate.file) == 1,
            SSL_CTX_use_PrivateKey_file(context, certificate.keyFile, SSL_FILETYPE_PEM) == 1,
            let connection = SSL_new(context), let input = BIO_new(BIO_s_mem()),
            let output = BIO_new(BIO_s_mem())
        else { return nil }
        self.context = context
        self.connection = connection
        self.input = input
        self.output = output
        // The connection owns both from here on.
        SSL_set_bio(connection, input, output)
        SSL_set_accept_state(connection)
    }

    deinit {
        SSL_free(connection)
        SSL_CTX_free(context)
    }

    /// Takes bytes from the client, and gives what they say; nil when they are no TLS, or the end.
    func receive(_ bytes: [UInt8]) -> [UInt8]? {
        guard BIO_write(input, bytes, Int32(bytes.count)) == bytes.count else { return nil }
        var plain: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 15)
        while true {
            let count = SSL_read(connection, &buffer, Int32(buffer.count))
            guard count > 0 else {
                let isWaiting = SSL_get_error(connection, count) == SSL_ERROR_WANT_READ
                return isWaiting || !plain.isEmpty ? plain : nil
            }
            plain += buffer[..<Int(count)]
        }
    }

    func send(_ plain: [UInt8]) { SSL_write(connection, plain, Int32(plain.count)) }

    func end() { SSL_shutdown(connection) }

    /// The bytes for the client.
    func takeOutput() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
        guard !bytes.isEmpty else { return [] }
        let count = BIO_read(output, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(max(0, Int(count))))
    }
}
