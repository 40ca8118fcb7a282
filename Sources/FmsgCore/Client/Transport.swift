/// What carries requests to a host: the one door between ``FmsgClient`` and a network.
///
/// FmsgCore knows no network library; a platform hands in an implementation
/// (`FmsgTransport` is the one over libcurl). An implementation verifies TLS, follows no
/// redirect, keeps connections, and honours task cancellation by throwing
/// ``TransportError/Kind/cancelled``.
public protocol Transport: Sendable {
    /// Sends `request` and collects the answer.
    ///
    /// Any HTTP status is an answer, not an error.
    /// - Throws: ``TransportError`` when there is no whole answer, or when its body would
    ///   exceed ``TransportRequest/maximumResponseBytes``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Sends `request` and hands the body of a 2xx answer to `sink`, piece by piece in order.
    ///
    /// The body of any other answer is collected into the response as in ``send(_:)``, and
    /// `sink` is not called. A 2xx response has an empty `body`. The size limit of the request
    /// does not apply to what goes to `sink`. When `sink` throws, the transfer ends with
    /// ``TransportError/Kind/sink``.
    func send(
        _ request: TransportRequest, to sink: ResponseSink
    ) async throws(TransportError) -> TransportResponse

    /// Opens a WebSocket (RFC 6455) for a `GET` request whose URL is `http` or `https`.
    ///
    /// - Returns: the open socket, or the host's ordinary answer when it refused the upgrade.
    /// - Throws: ``TransportError`` when there was no whole answer.
    func openSocket(_ request: TransportRequest) async throws(TransportError) -> SocketOpening
}

/// Takes a 2xx answer as it comes in.
public struct ResponseSink: Sendable {
    /// Called once, with status and headers, before the first piece and also where there is none.
    public let begin: @Sendable (_ head: TransportResponse) throws -> Void
    /// Called with each piece of the body, in order.
    public let take: @Sendable (_ piece: [UInt8]) throws -> Void

    public init(
        begin: @escaping @Sendable (_ head: TransportResponse) throws -> Void = { _ in },
        take: @escaping @Sendable (_ piece: [UInt8]) throws -> Void
    ) {
        self.begin = begin
        self.take = take
    }
}

/// One HTTP request.
public struct TransportRequest: Sendable {
    /// What a request carries.
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A body read as it is sent. `next` gives at most the asked number of bytes, an empty
        /// array at the end. `length` is in bytes; nil means unknown (chunked).
        case stream(length: Int64?, next: @Sendable (_ atMost: Int) throws -> [UInt8])
    }

    /// The request method, in capitals.
    public var method: String
    /// An absolute `http` or `https` URL, already percent-encoded.
    public var url: String
    public var headers: [Header]
    public var body: Body
    /// Largest answer that is collected, in bytes; beyond it the transfer is broken off.
    public var maximumResponseBytes: Int

    public init(
        method: String, url: String, headers: [Header] = [], body: Body = .none,
        maximumResponseBytes: Int = 64 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.maximumResponseBytes = maximumResponseBytes
    }
}

/// One HTTP header field. Names are compared without regard to ASCII case.
public struct Header: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// One whole HTTP answer.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: [Header]
    public var body: [UInt8]

    public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}

/// The outcome of asking for a WebSocket.
public enum SocketOpening: Sendable {
    case open(any TransportSocket)
    case refused(TransportResponse)
}

/// An open WebSocket. Pings are answered by the implementation; they are reported so that the
/// reader can tell a quiet peer from a dead one.
public protocol TransportSocket: Sendable {
    /// The next thing that came in. One caller at a time.
    ///
    /// After ``SocketInput/closed(code:reason:)`` every further call gives the same.
    /// - Throws: ``TransportError`` when the connection broke without a close frame, the peer
    ///   broke RFC 6455, or the task was cancelled.
    func receive() async throws(TransportError) -> SocketInput

    /// Sends a close frame with `code` (RFC 6455, section 7.4) and drops the connection.
    func close(code: UInt16) async
}

/// What a WebSocket brings.
public enum SocketInput: Sendable, Equatable {
    /// A whole message, text or binary, put together from its fragments.
    case message([UInt8])
    case ping
    case pong
    /// The peer closed. `code` is nil when its close frame had none.
    case closed(code: UInt16?, reason: String)
}

/// Why there is no whole answer.
public struct TransportError: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// The URL is not one that can be requested.
        case invalidURL
        /// No connection: name not found, refused, no route, proxy failed.
        case unreachable
        /// TLS could not be set up or the peer not be verified.
        case tls
        /// A phase took longer than its limit.
        case timedOut
        /// The connection broke, or the peer broke the protocol, before the answer was whole.
        case broken
        /// The answer was larger than the request allowed.
        case tooLarge
        /// The body of the request could not be read.
        case source
        /// The receiver of a streamed answer found that it is not what was asked for.
        case malformed
        /// The receiver of a streamed answer threw anything else.
        case sink
        /// The task was cancelled.
        case cancelled
        /// The network library is missing on this machine.
        case unavailable
    }

    public var kind: Kind
    /// One line for a person, without secrets: what failed, and where.
    public var message: String
    /// False only when it is certain that the host never saw the request.
    public var mayHaveArrived: Bool

    public init(_ kind: Kind, _ message: String, mayHaveArrived: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}

/// How a transport behaves; handed in, never read from the environment.
public struct TransportSettings: Sendable, Equatable {
    /// Seconds for name look-up, TCP, proxy and TLS together.
    public var connectTimeout: Double
    /// Seconds without a byte in either direction before a transfer counts as dead.
    public var idleTimeout: Double
    /// The proxy's URL for `http` requests, and for `https` requests; nil for none.
    public var httpProxy: String?
    public var httpsProxy: String?
    /// Hosts that bypass the proxy, in libcurl's `NO_PROXY` syntax.
    public var noProxy: String?
    /// A file of PEM certificates and a hashed directory of them; nil for the system's.
    public var certificateFile: String?
    public var certificateDirectory: String?
    /// What `User-Agent` says.
    public var userAgent: String
    /// Most bytes of one WebSocket message.
    public var maximumMessageBytes: Int

    public init(
        connectTimeout: Double = 15, idleTimeout: Double = 60, httpProxy: String? = nil,
        httpsProxy: String? = nil, noProxy: String? = nil, certificateFile: String? = nil,
        certificateDirectory: String? = nil, userAgent: String = "fmsg",
        maximumMessageBytes: Int = 16 << 20
    ) {
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.httpProxy = httpProxy
        self.httpsProxy = httpsProxy
        self.noProxy = noProxy
        self.certificateFile = certificateFile
        self.certificateDirectory = certificateDirectory
        self.userAgent = userAgent
        self.maximumMessageBytes = maximumMessageBytes
    }
}
