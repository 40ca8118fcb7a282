@testable import FmsgCore

/// A host, a ledger and a handler in memory, for ``AnswerTask``: whatever happens to the process,
/// they stay.
struct AnsweringHost {
    enum Fault: CaseIterable, Sendable {
        case requestLost, answerLost, failed500
    }

    static let messageId: Int64 = 10
    static let rootId: Int64 = 9

    struct Draft: Equatable {
        var text: String
    }

    var drafts: [Int64: Draft] = [:]
    /// Sent replies, by id.
    var sent: [Int64: Draft] = [:]
    var isRead = false
    var lines: [UInt8] = []
    /// What the handler says, one run after the other; the last for all later ones.
    var handler: [AnswerTask.Input] = [.answer("first"), .answer("second")]
    var runs = 0
    private var nextId: Int64 = 20
    /// What befalls the n-th request.
    var faults: [Int: Fault] = [:]
    /// Refuses every creation, or every send, with this status.
    var refusesCreation: Int?
    var refusesSend: Int?
    /// Called before the action of that number.
    var interventions: [Int: @Sendable (inout AnsweringHost) -> Void] = [:]
    private(set) var actions = 0
    private(set) var requests = 0

    var ledger: AgentLedger { AgentLedger.read(lines).ledger }

    static var plan: AnswerPlan {
        get throws {
            let message = try FmsgMessage(document: [
                Field.id: .integer(messageId), Field.from: .string("@alice@example.com"),
                Field.to: .strings(["@bot@example.com"]), Field.time: .integer(1),
                Field.terminal: .bool(false),
            ])
            return AnswerPlan(
                to: message, rootId: rootId,
                as: Identity(address: "@bot@example.com", owner: nil, tokenExpiresAt: nil),
                type: MediaType.plainText, isLast: false)
        }
    }

    static let lost = FmsgError.transport(
        TransportError(.broken, "the connection broke", mayHaveArrived: true))

    /// Where a kill strikes: before or after the action of that number.
    enum Kill: Equatable {
        case before(Int)
        case after(Int)
    }

    /// One life of the process.
    /// - Returns: the outcome; nil when it was killed.
    mutating func live(killed kill: Kill? = nil, retries: Int = 3) throws -> AnswerTask.Outcome? {
        var task: AnswerTask
        let failuresLeft = retries - ledger.failures(of: Self.messageId)
        switch ledger[Self.messageId] {
        case nil:
            task = AnswerTask(
                try Self.plan, failuresLeft: failuresLeft, answer: sent.keys.max())
        case .intent(let intent): task = AnswerTask(resuming: intent, draftId: nil)
        case .draft(let intent, let id): task = AnswerTask(resuming: intent, draftId: id)
        case .answered(_, let replyId?): return .answered(replyId: replyId)
        case .answered: return .skipped(.emptyAnswer)
        case .refused(let words): return .refused(.host(status: 409, words))
        case .givenUp: return .handlerFailed("given up", isFinal: true)
        }
        actions = 0
        requests = 0
        var action = task.start()
        while true {
            if case .finished(let outcome) = action { return outcome }
            if kill == .before(actions) { return nil }
            interventions.removeValue(forKey: actions)?(&self)
            let input = perform(action)
            if kill == .after(actions) { return nil }
            actions += 1
            if actions > 100 { return nil }
            action = task.next(after: input)
        }
    }

    private mutating func perform(_ action: AnswerTask.Action) -> AnswerTask.Input {
        switch action {
        case .runHandler:
            defer { runs += 1 }
            return handler[min(runs, handler.count - 1)]
        case .record(let record):
            lines += record.line
            return .recorded
        case .wait: return .waited
        case .finished: return .waited
        default: break
        }
        defer { requests += 1 }
        switch faults[requests] {
        case nil: return answer(action)
        case .requestLost: return .failed(Self.lost)
        case .answerLost:
            _ = answer(action)
            return .failed(Self.lost)
        case .failed500: return .failed(.host(status: 500, "failed"))
        }
    }

    private mutating func answer(_ action: AnswerTask.Action) -> AnswerTask.Input {
        switch action {
        case .createDraft(let intent):
            if let refusesCreation { return .failed(.host(status: refusesCreation, "no")) }
            defer { nextId += 1 }
            drafts[nextId] = Draft(text: intent.reply.text)
            return .created(nextId)
        case .searchDrafts(let intent):
            return .foundDrafts(
                drafts.filter {
                    $0.value.text == intent.reply.text && !intent.otherDrafts.contains($0.key)
                }.map(\.key))
        case .look(let id, let intent):
            if sent[id] != nil { return .looked(.sent) }
            guard let draft = drafts[id] else { return .looked(.gone) }
            return .looked(draft.text == intent.reply.text ? .unsent : .changed)
        case .findAnswer: return .foundAnswer(sent.keys.max())
        case .sendDraft(let id):
            if sent[id] != nil { return .failed(.host(status: 409, "sent already")) }
            if let refusesSend { return .failed(.host(status: refusesSend, "no")) }
            guard let draft = drafts.removeValue(forKey: id) else {
                return .failed(.host(status: 404, "not found"))
            }
            sent[id] = draft
            return .sent
        case .deleteDraft(let id):
            if sent[id] != nil { return .failed(.host(status: 403, "it was sent")) }
            drafts[id] = nil
            return .deleted
        case .markRead:
            isRead = true
            return .marked
        case .runHandler, .record, .wait, .finished: return .waited
        }
    }
}
