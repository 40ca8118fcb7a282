/// Which age of host is played.
public enum HostGeneration: String, Sendable, CaseIterable {
    /// Everything of the web API but push.
    case current
    /// The routes and fields of July 2026 alone: no reactions, threads, hashes or terminal
    /// messages.
    case july2026 = "2026-07"
}

/// The most that a host takes, in bytes (web API, section 2).
public struct HostLimits: Sendable, Equatable {
    /// Of the body of a message.
    public var body = 10 << 20
    /// Of one attachment.
    public var attachment = 10 << 20
    /// Of a message: its body and all attachments.
    public var message = 20 << 20
    /// Of the preview of a text body.
    public var preview = 768
    /// Of the text of a whole thread.
    public var thread = 32 << 20
    /// How many sub-accounts an owner may have.
    public var subAccounts = 5

    public init() {}

    /// These limits, with so many bytes for a message and for each of its attachments.
    public func raised(to bytes: Int) -> HostLimits {
        var limits = self
        limits.attachment = bytes
        limits.message = bytes
        return limits
    }
}

/// How an embedded host behaves.
public struct HostConfiguration: Sendable {
    /// Where the database, the keys and the attachments lie; made when it is missing.
    public var dataFolder: String
    /// The one domain whose users live here, which stays with the data folder; nil for the one
    /// that it has, and `localhost` for a new folder.
    public var domain: String?
    /// The numeric address to listen on.
    public var address = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port: UInt16
    public var generation = HostGeneration.current
    public var limits = HostLimits()
    /// Seconds that an access token is good for.
    public var tokenLifetime = 43_200.0
    /// Seconds between two pings of an event socket.
    public var pingPeriod = 45.0
    /// Seconds after which an event socket that sent nothing at all is dropped.
    public var silenceLimit = 60.0
    /// Whether recipients find drafts addressed to them in their list, as on real hosts.
    public var showsDraftsToRecipients = true
    /// The id of the first message of a new data folder.
    public var firstMessageId: Int64 = 1
    /// Seconds since 1970.
    public var clock: @Sendable () -> Double
    /// Called with the method and the path of each request, before it is answered.
    public var onRequest: (@Sendable (_ method: String, _ path: String) -> Void)?
    /// Called with one line about each failure that a client only sees as a 500.
    public var onFailure: (@Sendable (_ message: String) -> Void)?

    public init(
        dataFolder: String, domain: String? = nil, port: UInt16 = 0,
        clock: @escaping @Sendable () -> Double = SystemClock.now
    ) {
        self.dataFolder = dataFolder
        self.domain = domain
        self.port = port
        self.clock = clock
    }
}
