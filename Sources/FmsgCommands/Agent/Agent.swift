import CommandLineTool
import FmsgCore

/// Answers messages, one after the other: decides by ``AgentPolicy`` and ledger, and performs what
/// an ``AnswerTask`` says.
actor Agent {
    /// What came of a message.
    enum Attempt {
        case done
        /// It failed for good.
        case failed
        /// It is to be tried again; the error where it was the host.
        case postponed(FmsgError?)
    }

    private static let largestIndex = 100_000

    let client: FmsgClient
    let identity: Identity
    let report: AgentReport
    private let policy: AgentPolicy
    private let handler: AgentHandler
    private let file: AgentLedgerFile?
    private(set) var ledger: AgentLedger
    /// What was sent already; it is forgotten where it has grown beyond measure.
    var index: AnswerIndex? {
        didSet { if let index, index.count > Self.largestIndex { self.index = nil } }
    }
    /// Whether more may have been sent since the index was read.
    var isIndexOld = false
    let turnstile = Turnstile()

    /// - Parameters:
    ///   - ledger: what is known so far.
    ///   - file: where it is kept; nil for a dry run, which changes nothing.
    init(
        client: FmsgClient, identity: Identity, policy: AgentPolicy, handler: AgentHandler,
        ledger: AgentLedger, file: AgentLedgerFile?, report: AgentReport
    ) {
        self.client = client
        self.identity = identity
        self.policy = policy
        self.handler = handler
        self.ledger = ledger
        self.file = file
        self.report = report
    }

    var isDryRun: Bool { file == nil }

    /// Does with a message what there is to do.
    /// - Throws: what ends an agent: ``FmsgError``, ``FileError`` of the ledger, ``OutputError``.
    func handle(_ message: FmsgMessage) async throws -> Attempt {
        do {
            return try await decide(message)
        } catch let error as FmsgError where !error.endsAgent {
            if error.category == .notFound {
                try report.skipped(message.id, .gone)
                return .done
            }
            try report.failed(message.id, error.message, isFinal: false)
            return error.isLasting ? .failed : .postponed(error)
        }
    }

    /// Brings an answer that is known to its end.
    /// - Throws: as ``handle(_:)``.
    func finish(_ messageId: Int64) async throws -> Attempt {
        if ledger.time(of: messageId) != nil {
            var message: FmsgMessage?
            do throws(FmsgError) {
                message = try await client.message(.id(messageId))
            } catch {
                guard !error.endsAgent else { throw error }
                // Where it is gone for good, what became of its draft tells more.
                guard error.isLasting else {
                    try report.failed(messageId, error.message, isFinal: false)
                    return .postponed(error)
                }
            }
            if let message { try check(message) }
        }
        switch ledger[messageId] {
        case .intent(let intent):
            return try await perform(AnswerTask(resuming: intent, draftId: nil), intent.rootId)
        case .draft(let intent, let id):
            return try await perform(AnswerTask(resuming: intent, draftId: id), intent.rootId)
        default: return .done
        }
    }

    /// Begins the ledger anew where it knows another message by this id: the host has forgotten
    /// what it was about.
    private func check(_ message: FmsgMessage) throws {
        guard ledger.isOfAnother(than: message) else { return }
        ledger = AgentLedger()
        index = nil
        guard let file else { return }
        let aside = DisplayText.escape(try file.beginAnew())
        report.say(
            "message \(message.id) is another than the agent knows: the host was made anew; "
                + "its old ledger is kept as \(aside)")
    }

    private func write(_ record: AgentLedger.Record) throws(FileError) {
        try file?.add(record)
        ledger.add(record)
    }

    private func decide(_ message: FmsgMessage) async throws -> Attempt {
        try check(message)
        switch ledger[message.id] {
        case .intent, .draft:
            guard !isDryRun else { return try preview(message.id, answer: nil) }
            return try await finish(message.id)
        case .answered: return try await skip(message.id, .answered, marksRead: true)
        case .refused: return try await skip(message.id, .refused, marksRead: false)
        case .givenUp: return try await skip(message.id, .givenUp, marksRead: false)
        case nil: break
        }
        switch policy.decision(on: message, for: identity) {
        case .ignore: return .done
        case .skip(let reason, let marksRead):
            return try await skip(message.id, reason, marksRead: marksRead)
        case .answer: return try await answer(message)
        }
    }

    private func answer(_ message: FmsgMessage) async throws -> Attempt {
        guard let thread = try await thread(of: message.id) else {
            return try await skip(message.id, .capped, marksRead: true)
        }
        let whole = try await client.withBodyOnceReadable(message)
        let rootId = thread.visibleRootId
        let replies = max(ledger.replies(under: rootId), thread.replies(by: identity.address))
        guard replies < policy.maximumReplies else {
            return try await skip(message.id, .capped, marksRead: true)
        }
        let index = try await answers(to: message.id)
        let answer = index.answer(to: message.id)
        guard !isDryRun else { return try preview(message.id, answer: answer) }
        let drafts = index.drafts(to: message.id).map(\.id)
        for id in drafts where answer == nil {
            report.say(
                "message \(message.id): draft \(id) of a reply is not the agent's; "
                    + "it is left alone")
        }
        let plan = AnswerPlan(
            to: message, rootId: rootId, as: identity, type: handler.type,
            isLast: replies + 1 >= policy.maximumReplies, otherDrafts: drafts)
        if ledger.time(of: message.id) == nil, let time = message.time {
            try write(.message(id: message.id, time: time))
        }
        let failuresLeft = policy.retries - ledger.failures(of: message.id)
        return try await perform(
            AnswerTask(plan, failuresLeft: failuresLeft, answer: answer), rootId
        ) { [handler] in
            await handler.run(whole, in: thread)
        }
    }

    /// The lineage of a message that may have been announced a moment too early; nil when it is
    /// too deep to be loaded.
    private func thread(of id: Int64) async throws(FmsgError) -> FmsgThread? {
        do {
            return try await client.threadOnceReadable(id)
        } catch .threadTooDeep {
            return nil
        } catch .refused(let refusal) where [413, 422].contains(refusal.status) {
            return nil
        }
    }

    private func answers(to id: Int64) async throws(FmsgError) -> AnswerIndex {
        if let index, index.floor <= id, !isIndexOld { return index }
        return try await freshAnswers(to: id)
    }

    private func freshAnswers(to id: Int64) async throws(FmsgError) -> AnswerIndex {
        let fresh = try await client.answers(downTo: id, since: index)
        index = fresh
        isIndexOld = false
        return fresh
    }

    /// A reply that was sent meanwhile, by whomever.
    private func findAnswer(to id: Int64) async -> AnswerTask.Input {
        do throws(FmsgError) {
            var fresh = try await freshAnswers(to: id)
            // Beside the agent's own draft there is another, which may lie deeper than what was read.
            if fresh.answer(to: id) == nil, fresh.drafts(to: id).count > 1 {
                fresh = try await client.answers(downTo: id)
            }
            return .foundAnswer(fresh.answer(to: id))
        } catch {
            return .failed(error)
        }
    }

    private func skip(
        _ id: Int64, _ reason: SkipReason, marksRead: Bool
    ) async throws -> Attempt {
        if marksRead, !isDryRun {
            do {
                _ = try await client.markRead(id)
            } catch  where error.isLasting {
                // It is nobody's to read any more: as good as read.
            }
        }
        try report.skipped(id, reason)
        return .done
    }

    private func preview(_ id: Int64, answer: Int64?) throws -> Attempt {
        if answer == nil {
            try report.due(id)
        } else {
            try report.skipped(id, .answered)
        }
        return .done
    }

    // MARK: Performing

    private func perform(
        _ task: AnswerTask, _ rootId: Int64,
        runHandler: @Sendable () async -> AnswerTask.Input = { .failed(.cancelled) }
    ) async throws -> Attempt {
        var task = task
        var action = task.start()
        while true {
            let input: AnswerTask.Input
            switch action {
            case .finished(let outcome):
                return try conclude(task, rootId, outcome)
            case .runHandler: input = await runHandler()
            case .record(let step):
                if case .intent(let intent) = step, intent.redactions > 0 {
                    report.say(
                        "message \(intent.messageId): "
                            + "\(Redaction.words(intent.redactions)) in the answer")
                }
                try write(step)
                input = .recorded
            case .findAnswer(let id): input = await findAnswer(to: id)
            default: input = await client.outcome(of: action) ?? .failed(.cancelled)
            }
            action = task.next(after: input)
        }
    }

    private func conclude(
        _ task: AnswerTask, _ rootId: Int64, _ outcome: AnswerTask.Outcome
    ) throws -> Attempt {
        let id = task.messageId
        switch outcome {
        case .answered(let replyId):
            try report.answered(id, by: replyId, under: rootId)
            return .done
        case .skipped(let reason):
            try report.skipped(id, reason)
            return .done
        case .handlerFailed(let reason, let isFinal):
            try report.failed(id, reason, isFinal: isFinal)
            return isFinal ? .failed : .postponed(nil)
        case .refused(let error):
            try report.failed(id, error.message, isFinal: true)
            return .failed
        case .postponed(let error):
            guard !error.endsAgent else { throw error }
            let sent = task.replyId.map { "reply \($0) was sent; " } ?? ""
            try report.failed(id, sent + error.message, isFinal: false)
            return .postponed(error)
        }
    }
}

extension FmsgError {
    /// Whether no other message would fare better.
    fileprivate var endsAgent: Bool { category == .cancelled || category == .notAuthenticated }
}
