// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore
import Synchronization

/// Follows what arrives for whoever commands act as, from one log-in to the next.
final class LiveStream: Sendable {
    private struct State {
        var account: Account?
        var task: Task<Void, Never>?
        /// What is to be followed, until it is.
        var client: FmsgClient?
        /// What was told about there being no account, so that it is told once.
        var complaint: String?
    }

    private let context: CommandContext
    private let store: ReplStore
    private let state = Mutex(State())

    /// - Parameter context: says who is acted as, and has clients.
    init(_ context: CommandContext, _ store: ReplStore) {
        self.context = context
        self.store = store
    }

    deinit { stop() }

    /// Takes up the account that holds now; nothing changes where it is the same. What arrives for
    /// it is followed from ``start()`` on.
    func follow() {
        do {
            let account = try context.resolver.account()
            let client = context.client(for: account)
            state.withLock { state in
                if let known = state.account, known.isSameIdentity(as: account) { return }
                state.task?.cancel()
                state.account = account
                state.complaint = nil
                store.update { $0.become(nil, .connecting) }
                state.client = client
            }
        } catch {
            let message = CommandContext.line(for: error)
            state.withLock { state in
                guard state.complaint != message else { return }
                state.task?.cancel()
                state = State(complaint: message)
                store.update { state in
                    state.become(nil, .none)
                    state.notices.add(.talk(message))
                }
            }
        }
    }

    /// Begins to listen for the account that was taken up last, if that is not done already.
    func start() {
        state.withLock { state in
            guard let client = state.client else { return }
            state.client = nil
            state.task = Task { [store] in await Self.follow(client, store) }
        }
    }

    /// Ends it.
    func stop() { state.withLock { $0.task?.cancel() } }

    private static func follow(_ client: FmsgClient, _ store: ReplStore) async {
        // A host that cannot be reached is told of by the stream.
        await learnIdentity(client, store)
        do throws(FmsgError) {
            for try await event in client.events(EventOptions(initial: .unread)) {
                if case .connected = event {
                    await learnIdentity(client, store)
                    await learnMessages(client, store)
                }
                store.update { $0.handle(event) }
            }
        } catch {
            guard !Task.isCancelled else { return }
            let message = CommandContext.line(for: error)
            store.update { state in
                state.connection = error.category == .notAuthenticated ? .none : .silent
                state.notices.add(.talk(message))
            }
        }
    }

    private static func learnIdentity(_ client: FmsgClient, _ store: ReplStore) async {
        guard store.read(\.identity) == nil else { return }
        guard let identity = try? await client.whoami(), !Task.isCancelled else { return }
        store.update { $0.identity = identity.address }
    }

    /// What completion proposes from the start: one page of each list.
    private static func learnMessages(_ client: FmsgClient, _ store: ReplStore) async {
        guard store.read({ $0.recent.messages.isEmpty }) else { return }
        let received = (try? await client.inbox(limit: FmsgClient.maximumPage)) ?? []
        let sent = (try? await client.sent(limit: FmsgClient.maximumPage)) ?? []
        guard !Task.isCancelled else { return }
        store.update { state in
            state.recent.add(received: received, sent: sent, me: state.identity)
        }
    }
}
