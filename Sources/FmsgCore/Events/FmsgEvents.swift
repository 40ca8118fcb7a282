extension FmsgClient {
    /// The event stream: what arrives from now on, without a gap over lost connections, each
    /// message once. It goes on until its task is cancelled, or trying again cannot help.
    ///
    /// ```swift
    /// for try await event in client.events() {
    ///     switch event {
    ///     case .connected: print("ready")
    ///     case .newMessage(let message) where !message.isReaction:
    ///         let whole = try await client.withBody(message)
    ///         print(whole.from, whole.wholeText ?? "")
    ///     case .disconnected(let reason, let retryIn):
    ///         print("lost: \(reason); again in \(retryIn) s")
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// Events wait for whoever iterates; the socket is read meanwhile. Iterating throws
    /// ``FmsgError``: ``FmsgError/cancelled`` when its task is cancelled.
    public nonisolated func events(_ options: EventOptions = EventOptions()) -> FmsgEvents {
        FmsgEvents(client: self, options: options)
    }
}

/// The events of a client, as ``FmsgClient/events(_:)`` gives them. Each iterator is a stream of
/// its own, with a socket of its own.
public struct FmsgEvents: AsyncSequence, Sendable {
    public typealias Element = FmsgEvent
    public typealias Failure = FmsgError

    let client: FmsgClient
    let options: EventOptions

    public func makeAsyncIterator() -> Iterator {
        Iterator(lifetime: Lifetime(EventDriver(client: client, options: options)))
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lifetime: Lifetime

        public mutating func next() async throws(FmsgError) -> FmsgEvent? {
            try await lifetime.driver.next()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(FmsgError) -> FmsgEvent? {
            try await lifetime.driver.next()
        }
    }

    /// Ends the stream when its iterator is gone.
    fileprivate final class Lifetime: Sendable {
        let driver: EventDriver

        init(_ driver: EventDriver) { self.driver = driver }

        deinit {
            Task { [driver] in await driver.stop() }
        }
    }
}
