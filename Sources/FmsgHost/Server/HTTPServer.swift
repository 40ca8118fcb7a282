import CMicroHTTPD
import FmsgCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The HTTP server: libmicrohttpd with a pool of threads, on each of which `plan` and the
/// answers that it returns run.
final class HTTPServer: Sendable {
    private static let threads: UInt32 = 4
    private static let idleSeconds: UInt32 = 120

    /// Decides from the head of a request what is done with it.
    fileprivate let plan: @Sendable (RequestHead) -> Intake
    // Safe: written once, by `init`, before anybody has the server; the threads of libmicrohttpd
    // do not read it, and its functions may be called on a daemon from any thread.
    private nonisolated(unsafe) var daemon: OpaquePointer?

    /// Listens on a numeric address; port 0 takes a free one.
    /// - Throws: ``HostError`` of kind `listen`.
    init(
        address: String, port: UInt16, plan: @escaping @Sendable (RequestHead) -> Intake
    ) throws(HostError) {
        self.plan = plan
        errno = 0
        daemon = fmsg_httpd_start(
            address, port, Self.threads, Self.idleSeconds, handleRequest, completeRequest,
            Unmanaged.passUnretained(self).toOpaque())
        guard daemon != nil else {
            let reason = errno == 0 ? "" : ": \(Files.lastError)"
            throw HostError(.listen, "\(address) port \(port) cannot be listened on\(reason)")
        }
    }

    var port: UInt16 { fmsg_httpd_port(daemon) }

    /// Takes no more connections, lets `endUpgraded` end all that were upgraded, and waits until
    /// each request in hand has its answer. To be called once.
    func stop(endUpgraded: () -> Void = {}) {
        let listening = MHD_quiesce_daemon(daemon)
        endUpgraded()
        MHD_stop_daemon(daemon)
        // Not before: until here a thread of the daemon may look at it.
        if listening >= 0 { close(listening) }
    }
}

/// A connection that has left HTTP for another protocol; whoever got it must end it.
struct UpgradedConnection: Sendable {
    /// The socket, in non-blocking mode.
    let descriptor: Int32
    /// What the peer had sent already.
    let received: [UInt8]
    // Safe: libmicrohttpd takes the handle from any thread, and `end` is called once.
    private nonisolated(unsafe) let handle: OpaquePointer?

    fileprivate init(descriptor: Int32, received: [UInt8], handle: OpaquePointer?) {
        self.descriptor = descriptor
        self.received = received
        self.handle = handle
    }

    /// Closes the socket. To be called once.
    func end() { fmsg_httpd_close_upgraded(handle) }
}

/// The answerer of libmicrohttpd's calls: once for the head, once for each piece of the body,
/// and once more when that is complete.
private func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    piece: UnsafePointer<CChar>?, pieceSize: UnsafeMutablePointer<Int>?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let path, let method, let pieceSize, let state else { return .NO }
    guard let known = state.pointee else {
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let head = RequestHead(
            connection, method: String(cString: method), path: String(cString: path))
        let exchange = Exchange(server.plan(head), head: head, connection: connection)
        state.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return exchange.answersBeforeBody ? exchange.answer(connection) : .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    guard pieceSize.pointee > 0 else { return exchange.answer(connection) }
    let taken = exchange.take(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
    pieceSize.pointee = 0
    return taken ? .YES : .NO
}

private func completeRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let known = state?.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(known).release()
    state?.pointee = nil
}

extension RequestHead {
    fileprivate init(_ connection: OpaquePointer?, method: String, path: String) {
        self.method = method
        self.path = path
        headers = Self.values(connection, .HEADER_KIND).map { Header($0.name, $0.value) }
        query = Self.values(connection, .GET_ARGUMENT_KIND)
        var bytes = [UInt8](repeating: 0, count: 16)
        let length = fmsg_httpd_peer(connection, &bytes)
        peer = IPAddress(bytes: Array(bytes[..<length]))
    }

    private static func values(
        _ connection: OpaquePointer?, _ kind: MHD_ValueKind
    ) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &values) { list in
            _ = MHD_get_connection_values(
                connection, kind,
                { list, _, name, value in
                    guard let name else { return .YES }
                    list?.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
                        .append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, list)
        }
        return values
    }
}

extension HTTPResponse {
    /// Hands the answer to libmicrohttpd.
    func queue(on connection: OpaquePointer?) -> MHD_Result {
        guard let response = makeResponse() else { return .NO }
        defer { MHD_destroy_response(response) }
        for header in headers {
            MHD_add_response_header(response, header.name, header.value)
        }
        return MHD_queue_response(connection, UInt32(status), response)
    }

    private func makeResponse() -> OpaquePointer? {
        switch body {
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .file(let descriptor, let offset, let size):
            return MHD_create_response_from_fd_at_offset64(size, descriptor, offset)
        case .upgrade(let begin):
            let box = Unmanaged.passRetained(UpgradeBox(begin)).toOpaque()
            return MHD_create_response_for_upgrade(
                { box, _, _, extra, extraSize, socket, handle in
                    guard let box else { return }
                    let begin = Unmanaged<UpgradeBox>.fromOpaque(box).takeRetainedValue().begin
                    let received = UnsafeRawBufferPointer(start: extra, count: extraSize)
                    begin(
                        UpgradedConnection(
                            descriptor: socket, received: Array(received), handle: handle))
                }, box)
        }
    }
}

/// Carries what begins an upgraded connection through libmicrohttpd.
private final class UpgradeBox: Sendable {
    let begin: @Sendable (UpgradedConnection) -> Void

    init(_ begin: @escaping @Sendable (UpgradedConnection) -> Void) { self.begin = begin }
}
