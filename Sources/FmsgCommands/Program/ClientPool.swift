import FmsgCore
import Synchronization

/// Keeps one client for each account, so that many commands share kept connections and a token.
package final class ClientPool: Sendable {
    /// More accounts than anyone uses at one prompt.
    private static let capacity = 8

    private let clients = Mutex<[(account: Account, client: FmsgClient)]>([])

    package init() {}

    /// The client of `account`; `make` makes the first.
    func client(for account: Account, make: () -> FmsgClient) -> FmsgClient {
        clients.withLock { clients in
            if let known = clients.first(where: { $0.account.isSameIdentity(as: account) }) {
                return known.client
            }
            let client = make()
            clients.append((account, client))
            if clients.count > Self.capacity { clients.removeFirst() }
            return client
        }
    }
}
