import FmsgCore
import Synchronization

/// A whole host for one domain inside a process: the web API (routes of a current host but push)
/// over HTTP, a store on disk, and event sockets.
///
/// What it has confirmed is on disk: it survives a kill at any time.
public final class EmbeddedHost: Sendable {
    public let configuration: HostConfiguration
    /// The one domain whose users live here.
    public let domain: String
    private let store: Store
    private let running = Mutex<Running?>(nil)

    private struct Running: Sendable {
        let server: HTTPServer
        let hub: Hub
        let lock: FolderLock
        let url: String
    }

    /// Opens the data folder, and makes it where it is missing. Users may then be added, also
    /// while another process serves the folder.
    /// - Throws: ``HostError`` of kind `dataFolder`, also when the folder belongs to another
    ///   domain.
    public init(_ configuration: HostConfiguration) throws(HostError) {
        self.configuration = configuration
        store = try Store(
            folder: configuration.dataFolder, firstMessageId: configuration.firstMessageId)
        domain = try store.domain(wanted: configuration.domain)
    }

    deinit { stop() }

    /// The base URL, as in `http://127.0.0.1:8080`; empty while it does not run.
    public var url: String { running.withLock { $0?.url ?? "" } }

    /// How many event sockets are open.
    public var eventSocketCount: Int { running.withLock { $0?.hub.count ?? 0 } }

    /// Listens; when it returns, requests are served and ``url`` is known. Without effect on a
    /// host that runs.
    /// - Throws: ``HostError`` of kind `inUse` when another host runs on the data folder, and of
    ///   kind `listen` when the address or port is not to be had.
    public func start() throws(HostError) {
        try running.withLock { running throws(HostError) in
            if running == nil { running = try open() }
        }
    }

    /// Closes every event socket with 1001, answers what is in hand, and stops.
    public func stop() {
        let stopped = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let stopped else { return }
        stopped.server.stop(endUpgraded: { stopped.hub.stop() })
    }

    /// Adds a user of the host's domain and returns an API key, which is not shown again. A user
    /// that is there already gets one more key.
    ///
    /// - Parameter owner: the address that the user acts for; nil means itself.
    /// - Throws: ``HostError`` of kind `user` when an address is malformed or of another domain,
    ///   or when the user is there with another owner.
    public func addUser(_ address: String, owner: String? = nil) throws(HostError) -> String {
        let account = Account(
            address: try userAddress(address), owner: try owner.map(checkedAddress) ?? address)
        let key = APIKey.generate()
        try store.access { database in
            if let known = try database.account(account.key) {
                guard owner == nil || sameAddress(known.owner, account.owner) else {
                    throw HostError(.user, "\(address) is there with the owner \(known.owner)")
                }
            } else {
                try database.insertAccount(account)
            }
            try database.insertKey(key, of: account)
        }
        return key.text
    }

    /// All users, in the order of their folded addresses.
    public func users() throws(HostError) -> [HostUser] { try store.access { try $0.users() } }

    /// Revokes a key by its id: the text between `fmsgk_` and the next `_`. Tokens that it gave
    /// are refused from the next request on.
    /// - Throws: ``HostError`` of kind `notFound` when there is no such key.
    public func revokeKey(_ id: String) throws(HostError) {
        guard try store.access({ try $0.revokeKey(id) }) else {
            throw HostError(.notFound, "there is no key with the id \(id)")
        }
    }

    /// A token for an owner as an identity provider would give it, so that sub-accounts can be
    /// made, and acted as, without one.
    ///
    /// - Parameter lifetime: seconds that it is good for.
    /// - Throws: ``HostError`` of kind `user` when the address is malformed, not that of a user,
    ///   or acts for another.
    public func ownerToken(
        for address: String, lifetime: Double
    ) throws(HostError) -> (token: String, expiresAt: String) {
        let checked = try checkedAddress(address)
        guard let account = try store.access({ try $0.account(AddressKey(checked)) }) else {
            throw HostError(.user, "there is no user \(checked)")
        }
        guard sameAddress(account.owner, account.address) else {
            throw HostError(.user, "\(account.address) acts for \(account.owner): no owner")
        }
        let signer = TokenSigner(try SigningKey.load(folder: configuration.dataFolder))
        let issued = signer.issueIdentity(
            account.address, now: configuration.clock(), lifetime: lifetime)
        guard let issued else { throw HostError(.dataFolder, "the token could not be signed") }
        return (issued.token, Timestamp.rfc3339(Double(issued.expiresAt)))
    }

    private func open() throws(HostError) -> Running {
        let lock = try store.lock()
        let key = try SigningKey.load(folder: configuration.dataFolder)
        let hub = try Hub(
            pingPeriod: configuration.pingPeriod, silenceLimit: configuration.silenceLimit)
        let api: WebAPI
        do {
            try store.keepDomain(domain)
            try store.removeOrphans()
            api = try WebAPI(
                configuration: configuration, domain: domain, store: store,
                signer: TokenSigner(key), hub: hub)
        } catch {
            throw HostError(.dataFolder, "the data folder cannot be used: \(error)")
        }
        let server = try HTTPServer(
            address: configuration.address, port: configuration.port, plan: { api.plan($0) })
        do throws(HostError) {
            try hub.start()
        } catch {
            server.stop()
            throw error
        }
        let name =
            configuration.address.contains(":")
            ? "[\(configuration.address)]" : configuration.address
        return Running(
            server: server, hub: hub, lock: lock, url: "http://\(name):\(server.port)")
    }

    private func userAddress(_ text: String) throws(HostError) -> String {
        let address = try checkedAddress(text)
        guard sameAddress(AddressKey(address).domain, domain) else {
            throw HostError(.user, "\(text) is not of the domain \(domain)")
        }
        return address
    }

    private func checkedAddress(_ text: String) throws(HostError) -> String {
        do throws(FmsgAddressError) {
            return try FmsgAddress(text).text
        } catch {
            throw HostError(.user, "\(JSON.string(text).text) is not an address: \(error.reason)")
        }
    }
}
