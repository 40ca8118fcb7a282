extension FmsgClient {
    /// Opens the event stream's socket (web API, section 7). What it brings is a notice, not a
    /// log: read the inbox after opening it.
    /// - Throws: ``FmsgError``; a refused upgrade is the host's ordinary refusal.
    public func openSocket() async throws(FmsgError) -> any TransportSocket {
        let request = TransportRequest(
            method: Route.events.method, url: host.url(of: .events, [], query: []),
            maximumResponseBytes: ResponseLimit.object)
        let opened = OpenedSocket()
        let response = try await authorized(request) {
            [transport] (request) throws(TransportError) in
            switch try await transport.openSocket(request) {
            case .refused(let response): return response
            case .open(let socket):
                await opened.set(socket)
                return TransportResponse(status: 200)
            }
        }
        if let socket = await opened.socket { return socket }
        // A 2xx answer without an upgrade is no event stream.
        guard !(200..<300).contains(response.status) else {
            throw .malformedAnswer(.events, reason: "HTTP \(response.status) without an upgrade")
        }
        _ = try Self.success(response, .events)
        throw .malformedAnswer(.events, reason: "HTTP \(response.status)")
    }

    /// What a socket brings next, with its errors as ``FmsgError``.
    public static func received(
        from socket: any TransportSocket
    ) async throws(FmsgError) -> SocketInput {
        try await carried { () throws(TransportError) in try await socket.receive() }
    }

    private actor OpenedSocket {
        private(set) var socket: (any TransportSocket)?
        func set(_ socket: any TransportSocket) { self.socket = socket }
    }
}
