/// Answers one message exactly once, whatever dies when. A pure state machine: it says what to do
/// and is told what came of it. Stopped at any point, and begun again with what its ledger says,
/// it ends with the one reply.
///
/// The steps: run the handler; write down what will be sent; make the draft, or find the one whose
/// creation was not answered; write down its id; look at it, look whether somebody has answered
/// meanwhile, and send it, one request at a time; mark the message read; write down that it is
/// over. A draft is deleted only when a look showed it unsent.
public struct AnswerTask: Sendable {
    public enum Action: Sendable, Equatable {
        case runHandler
        /// Write it to the ledger: done only when it is on disk.
        case record(AgentLedger.Record)
        /// List the drafts that equal the intent.
        case searchDrafts(AnswerIntent)
        case createDraft(AnswerIntent)
        /// Fetch a draft: what has become of it?
        case look(Int64, AnswerIntent)
        /// Look in the sent list for a reply to a message.
        case findAnswer(Int64)
        case sendDraft(Int64)
        case deleteDraft(Int64)
        case markRead(Int64)
        /// Seconds to let pass.
        case wait(Double)
        case finished(Outcome)
    }

    public enum Input: Sendable, Equatable {
        case answer(String)
        case handlerFailed(String)
        case recorded
        case foundDrafts([Int64])
        case created(Int64)
        case looked(Look)
        case foundAnswer(Int64?)
        case sent
        case deleted
        case marked
        case waited
        case failed(FmsgError)
    }

    /// What a look at the draft showed.
    public enum Look: Sendable, Equatable {
        case sent
        /// Unsent, and as it was meant.
        case unsent
        /// Unsent, and somebody has changed it.
        case changed
        case gone
    }

    public enum Outcome: Sendable, Equatable {
        case answered(replyId: Int64)
        /// The message is done with, without a reply by this task.
        case skipped(SkipReason)
        case handlerFailed(String, isFinal: Bool)
        /// The host refused the reply for good.
        case refused(FmsgError)
        /// The host cannot be reached or fails: the ledger knows how to go on later.
        case postponed(FmsgError)
    }

    private enum State: Sendable {
        case handling
        case recordingFailure(String, isFinal: Bool)
        case intending(AnswerIntent)
        case searching(AnswerIntent)
        case creating(AnswerIntent)
        case recordingDraft(AnswerIntent, Int64)
        case looking(AnswerIntent, Int64, refusal: FmsgError?)
        case lookingForAnswer(AnswerIntent, Int64)
        case sending(AnswerIntent, Int64)
        case deleting(AnswerIntent, Int64, then: Ending)
        case recordingRefusal(AnswerIntent, draftId: Int64?, FmsgError)
        case searchingDuplicates(AnswerIntent, Int64)
        case deletingDuplicates(Int64, rest: [Int64])
        case marking(Ending)
        case recordingEnd(Outcome)
        /// A pause, and what is done after it.
        indirect case waiting(then: State, Action)
        case over
    }

    /// How it ends after the message is marked read.
    private enum Ending: Sendable {
        case answered(Int64)
        case skipped(SkipReason, replyId: Int64?)
        /// The draft is deleted, and the message left as it is.
        case refused(FmsgError)
    }

    /// How often requests may fail before the rest is put off: other messages wait meanwhile.
    static let maximumFailures = 5

    /// The message that is answered.
    public let messageId: Int64
    private let rootId: Int64
    private let plan: AnswerPlan?
    private let failuresLeft: Int
    private var state = State.handling
    private var first = Action.runHandler
    private var failures = 0
    private var creations = 0
    /// The reply, once it is sent.
    public private(set) var replyId: Int64?

    /// A message about which nothing is written down.
    /// - Parameters:
    ///   - failuresLeft: how many failures of the handler are allowed, this one included.
    ///   - answer: a reply of one's own that stands in the sent list.
    public init(_ plan: AnswerPlan, failuresLeft: Int, answer: Int64?) {
        self.plan = plan
        self.failuresLeft = failuresLeft
        messageId = plan.messageId
        rootId = plan.rootId
        if let answer {
            state = .marking(.skipped(.answered, replyId: answer))
            first = .markRead(messageId)
        }
    }

    /// A message whose answer is known.
    public init(resuming intent: AnswerIntent, draftId: Int64?) {
        plan = nil
        failuresLeft = 0
        messageId = intent.messageId
        rootId = intent.rootId
        // Another process may have created one more.
        creations = 1
        if let draftId {
            state = .looking(intent, draftId, refusal: nil)
            first = .look(draftId, intent)
        } else {
            state = .searching(intent)
            first = .searchDrafts(intent)
        }
    }

    /// The first action.
    public func start() -> Action { first }

    /// What to do after `input`, the outcome of the last action.
    public mutating func next(after input: Input) -> Action {
        if case .failed(let error) = input {
            if error.category == .cancelled || error.category == .notAuthenticated {
                return finish(.postponed(error))
            }
            return afterFailure(error)
        }
        switch (state, input) {
        case (.handling, .answer(let text)): return afterAnswer(text)
        case (.handling, .handlerFailed(let reason)):
            let isFinal = failuresLeft <= 1
            state = .recordingFailure(reason, isFinal: isFinal)
            return .record(
                isFinal ? .givenUp(messageId: messageId) : .failure(messageId: messageId))
        case (.recordingFailure(let reason, let isFinal), .recorded):
            return finish(.handlerFailed(reason, isFinal: isFinal))
        case (.intending(let intent), .recorded): return create(intent)
        case (.searching(let intent), .foundDrafts(let ids)):
            guard let id = ids.max() else { return create(intent) }
            return recordDraft(intent, id)
        case (.creating(let intent), .created(let id)): return recordDraft(intent, id)
        case (.recordingDraft(let intent, let id), .recorded): return look(intent, id)
        case (.looking(let intent, let id, let refusal), .looked(let look)):
            return afterLook(look, intent, id, refusal: refusal)
        case (.lookingForAnswer(let intent, let id), .foundAnswer(let answer)):
            guard let answer else {
                state = .sending(intent, id)
                return .sendDraft(id)
            }
            if answer == id { return succeed(intent, id) }
            state = .deleting(intent, id, then: .skipped(.answered, replyId: answer))
            return .deleteDraft(id)
        case (.sending(let intent, let id), .sent): return succeed(intent, id)
        case (.deleting(_, _, let ending), .deleted): return end(ending)
        case (.recordingRefusal(let intent, let draftId, let error), .recorded):
            guard let draftId else { return finish(.refused(error)) }
            state = .deleting(intent, draftId, then: .refused(error))
            return .deleteDraft(draftId)
        case (.searchingDuplicates(_, let id), .foundDrafts(let ids)):
            return deleteDuplicates(id, ids.filter { $0 != id })
        case (.deletingDuplicates(let id, let rest), .deleted): return deleteDuplicates(id, rest)
        case (.marking(let ending), .marked): return recordEnd(ending)
        case (.recordingEnd(let outcome), .recorded): return finish(outcome)
        case (.waiting(let then, let action), .waited):
            state = then
            return action
        default: return finish(.postponed(.cancelled))
        }
    }

    // MARK: The steps

    private mutating func afterAnswer(_ text: String) -> Action {
        guard let plan, text.contains(where: { !$0.isWhitespace }) else {
            return end(.skipped(.emptyAnswer, replyId: nil))
        }
        let intent = plan.intent(text)
        state = .intending(intent)
        return .record(.intent(intent))
    }

    private mutating func create(_ intent: AnswerIntent) -> Action {
        creations += 1
        state = .creating(intent)
        return .createDraft(intent)
    }

    private mutating func recordDraft(_ intent: AnswerIntent, _ id: Int64) -> Action {
        state = .recordingDraft(intent, id)
        return .record(.draft(messageId: messageId, draftId: id))
    }

    private mutating func look(_ intent: AnswerIntent, _ id: Int64) -> Action {
        state = .looking(intent, id, refusal: nil)
        return .look(id, intent)
    }

    private mutating func afterLook(
        _ look: Look, _ intent: AnswerIntent, _ id: Int64, refusal: FmsgError?
    ) -> Action {
        switch look {
        case .sent: return succeed(intent, id)
        case .gone: return end(.skipped(.withdrawn, replyId: nil))
        case .changed: return finish(.skipped(.draftChanged))
        case .unsent:
            // Written down first: a crash must not make a refusal look like a withdrawal.
            if let refusal { return recordRefusal(intent, draftId: id, refusal) }
            state = .lookingForAnswer(intent, id)
            return .findAnswer(messageId)
        }
    }

    private mutating func recordRefusal(
        _ intent: AnswerIntent, draftId: Int64?, _ error: FmsgError
    ) -> Action {
        state = .recordingRefusal(intent, draftId: draftId, error)
        return .record(.refused(messageId: messageId, reason: error.message))
    }

    private mutating func succeed(_ intent: AnswerIntent, _ id: Int64) -> Action {
        guard creations > 1 || plan == nil else { return end(.answered(id)) }
        state = .searchingDuplicates(intent, id)
        return .searchDrafts(intent)
    }

    private mutating func deleteDuplicates(_ id: Int64, _ ids: [Int64]) -> Action {
        guard let duplicate = ids.first else { return end(.answered(id)) }
        state = .deletingDuplicates(id, rest: Array(ids.dropFirst()))
        return .deleteDraft(duplicate)
    }

    private mutating func end(_ ending: Ending) -> Action {
        if case .refused(let error) = ending { return finish(.refused(error)) }
        if case .answered(let id) = ending { replyId = id }
        state = .marking(ending)
        return .markRead(messageId)
    }

    private mutating func recordEnd(_ ending: Ending) -> Action {
        let replyId: Int64?
        switch ending {
        case .answered(let id):
            replyId = id
            state = .recordingEnd(.answered(replyId: id))
        case .skipped(let reason, let id):
            replyId = id
            state = .recordingEnd(.skipped(reason))
        case .refused(let error): return finish(.refused(error))
        }
        return .record(.answered(messageId: messageId, rootId: rootId, replyId: replyId))
    }

    private mutating func finish(_ outcome: Outcome) -> Action {
        state = .over
        return .finished(outcome)
    }

    // MARK: What fails

    private mutating func afterFailure(_ error: FmsgError) -> Action {
        switch state {
        case .creating(let intent):
            if error.isLasting { return recordRefusal(intent, draftId: nil, error) }
            return retry(.searching(intent), .searchDrafts(intent), error)
        case .sending(let intent, let id):
            guard error.isLasting else {
                return retry(.looking(intent, id, refusal: nil), .look(id, intent), error)
            }
            // It may mean that it was sent already: only a look tells.
            state = .looking(intent, id, refusal: error)
            return .look(id, intent)
        case .deleting(let intent, let id, let ending):
            if case .refused(let refusal) = error, refusal.status == 404 { return end(ending) }
            if case .refused(let refusal) = ending {
                // It is written down: at worst its draft remains.
                if error.isLasting { return finish(.refused(refusal)) }
                return retry(state, .deleteDraft(id), error)
            }
            return retry(.looking(intent, id, refusal: nil), .look(id, intent), error)
        case .deletingDuplicates(let id, let rest): return deleteDuplicates(id, rest)
        case .searchingDuplicates(_, let id) where error.isLasting: return end(.answered(id))
        case .marking(let ending) where error.isLasting: return recordEnd(ending)
        case .searching(let intent): return retry(state, .searchDrafts(intent), error)
        case .looking(let intent, let id, _): return retry(state, .look(id, intent), error)
        case .lookingForAnswer: return retry(state, .findAnswer(messageId), error)
        case .searchingDuplicates(let intent, _): return retry(state, .searchDrafts(intent), error)
        case .marking: return retry(state, .markRead(messageId), error)
        default: return finish(.postponed(error))
        }
    }

    private mutating func retry(_ state: State, _ action: Action, _ error: FmsgError) -> Action {
        failures += 1
        guard failures < Self.maximumFailures else { return finish(.postponed(error)) }
        self.state = .waiting(then: state, action)
        return .wait(min(0.2 * Double(1 << (failures - 1)), 5))
    }
}

extension FmsgError {
    /// Whether the host refused for good: trying again cannot help.
    public var isLasting: Bool {
        switch self {
        case .refused(let refusal):
            (400..<500).contains(refusal.status) && ![401, 408, 429].contains(refusal.status)
        case .invalid, .unsupported, .notFound, .noDraft: true
        default: false
        }
    }
}
