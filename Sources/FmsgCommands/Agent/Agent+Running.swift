import CommandLineTool
import FmsgCore

extension Agent {
    /// How long a message waits for its next try where its handler failed. Where the host did, it
    /// waits as a lost connection does.
    private static let handlerBackoff = Backoff(1...300)

    /// A message that waits for its next try.
    private struct Postponed: Sendable {
        let messageId: Int64
        /// Nil when its answer is known.
        let message: FmsgMessage?
        var tries = 0
        /// Seconds to wait.
        var pause = 0.0
    }

    private typealias Retries = AsyncThrowingStream<Postponed, any Error>

    /// Answers what is unread.
    /// - Throws: what ends an agent; ``CommandFailure`` when a message could not be answered.
    func runOnce() async throws -> ExitCode {
        var failures = 0
        var hostFailure: FmsgError?
        func note(_ attempt: Attempt) throws(FmsgError) {
            guard case .done = attempt else {
                failures += 1
                guard case .postponed(let error?) = attempt else { return }
                // A host that is away is away for the others, too.
                if case .transport = error { throw error }
                hostFailure = error
                return
            }
        }
        let unfinished = Set(isDryRun ? [] : ledger.unfinished)
        for id in unfinished.sorted() { try note(try await finish(id)) }
        let begun = unfinished.filter { ledger[$0] != nil }
        let unread = try await unreadMessages().filter { !begun.contains($0.id) }
        if let lowest = unread.map(\.id).min() {
            index = try await client.answers(downTo: lowest)
        } else if unfinished.isEmpty, report.hasPerson {
            report.say("nothing to answer: no message is unread")
        }
        for message in unread.compactMap(\.message) { try note(try await handle(message)) }
        if let hostFailure { throw hostFailure }
        guard failures == 0 else {
            throw CommandFailure("\(failures) could not be answered", exitCode: .someFailed)
        }
        return .done
    }

    private func unreadMessages() async throws(FmsgError) -> [KeptMessage] {
        var catchUp = InboxCatchUp(
            lookBack: EventOptions().lookBack, goesOnWhileNew: true)
        var action = catchUp.start()
        while true {
            switch action {
            case .finished(let messages): return messages
            case .readPage(let offset, let limit):
                let page = try await client.inbox(limit: limit, offset: offset)
                action = catchUp.next(page: page) { !$0.isRead }
            }
        }
    }

    /// Answers what is unread and what arrives, until its task is cancelled.
    /// - Throws: what ends an agent.
    func run() async throws -> ExitCode {
        let (retries, later) = Retries.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow(later) }
            group.addTask { try await self.retry(retries, later) }
            defer { group.cancelAll() }
            try await group.next()
            // Only cancellation ends either of them without an error.
            throw FmsgError.cancelled
        }
    }

    private func follow(_ later: Retries.Continuation) async throws {
        for id in ledger.unfinished {
            try await attempt(Postponed(messageId: id, message: nil), later)
        }
        var isCatchingUp = true
        for try await event in client.events(EventOptions(initial: .unread)) {
            switch event {
            case .connected:
                isCatchingUp = false
                try report.ready(as: identity.address)
            case .disconnected(let reason, let retryIn):
                isCatchingUp = true
                index = nil
                try report.disconnected(reason, retryIn: retryIn)
            case .newMessage(let message):
                if !isCatchingUp { isIndexOld = true }
                try await attempt(Postponed(messageId: message.id, message: message), later)
            case .ignored(let reason): report.say(reason)
            case .updated: break
            }
        }
    }

    private func retry(_ retries: Retries, _ later: Retries.Continuation) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for try await postponed in retries {
                group.addTask { [time = report.context.runtime.time] in
                    do {
                        try await time.sleep(postponed.pause)
                        try await self.attempt(postponed, later)
                    } catch {
                        // What ends the answering of one message ends the agent.
                        later.finish(throwing: error)
                    }
                }
            }
        }
    }

    /// Answers a message, and has it tried again where that may help.
    private func attempt(
        _ postponed: Postponed, _ later: Retries.Continuation
    ) async throws {
        let result = try await turnstile.pass {
            guard let message = postponed.message else {
                return try await self.finish(postponed.messageId)
            }
            return try await self.handle(message)
        }
        guard case .postponed(let error) = result else { return }
        let backoff = error == nil ? Self.handlerBackoff : Backoff()
        var next = postponed
        next.pause = backoff.pause(after: postponed.tries, error)
        next.tries += 1
        later.yield(next)
    }
}
