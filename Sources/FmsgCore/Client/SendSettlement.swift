/// Brings a send to a certain end though either of its two answers may be lost (web API,
/// section 9). A pure state machine: it says what to do and is told what came of it.
///
/// A lost creation is looked for among the drafts before another is made; only one draft is
/// ever sent, one request at a time, and after a lost answer a look comes before a repetition.
/// A draft is deleted only after a look showed it unsent.
public struct SendSettlement: Sendable {
    public enum Action: Sendable, Equatable {
        case createDraft
        case sendDraft(Int64)
        /// Fetch the draft: was it sent?
        case look(Int64)
        /// List the drafts that equal the message.
        case searchDrafts
        case deleteDraft(Int64)
        /// Seconds to let pass.
        case wait(Double)
        case finished(Receipt)
        case failed(FmsgError)
    }

    public enum Input: Sendable, Equatable {
        case created(Int64)
        case sent(Receipt)
        case looked(Look)
        case foundDrafts([Int64])
        case deleted
        case waited
        case failed(FmsgError)
    }

    /// What a look at the draft showed.
    public enum Look: Sendable, Equatable {
        case sent(Receipt)
        case unsent
        case gone
    }

    /// The proof of a send.
    public struct Receipt: Sendable, Equatable {
        public let id: Int64
        /// POSIX seconds.
        public let time: Double?
        public let sha256: String?

        public init(id: Int64, time: Double?, sha256: String?) {
            self.id = id
            self.time = time
            self.sha256 = sha256
        }
    }

    private enum State: Sendable {
        case creating
        case searching(cause: FmsgError)
        case sending(Int64)
        case looking(Int64, cause: FmsgError)
        case deleting(Int64, cause: FmsgError)
        case searchingDuplicates(Receipt)
        case deletingDuplicates(Receipt, rest: [Int64])
        /// A pause, and what is done after it.
        indirect case waiting(then: State, Action)
        case over
    }

    /// How often the draft is created, and sent, at the most.
    static let maximumCreations = 2
    static let maximumSends = 3
    /// How often in a row a look or a search may fail before it is given up.
    static let maximumFailedLooks = 7

    private var state = State.creating
    private var creations = 0
    private var sends = 0
    private var failedLooks = 0
    private var draftId: Int64?

    /// Begins with the creation of the draft.
    public init() {}

    /// Begins with a draft that exists, whole.
    public init(draftId: Int64) {
        state = .sending(draftId)
        self.draftId = draftId
    }

    /// The first action.
    public mutating func start() -> Action {
        guard let draftId else { return create() }
        return send(draftId)
    }

    /// What to do after `input`, the outcome of the last action.
    public mutating func next(after input: Input) -> Action {
        if case .failed(let error) = input, error.category == .cancelled {
            return interrupted(error)
        }
        switch state {
        case .creating: return afterCreation(input)
        case .searching(let cause): return afterSearch(input, cause: cause)
        case .sending(let id): return afterSend(input, id: id)
        case .looking(let id, let cause): return afterLook(input, id: id, cause: cause)
        case .deleting(let id, let cause): return afterDeletion(input, id: id, cause: cause)
        case .searchingDuplicates(let receipt):
            guard case .foundDrafts(let ids) = input else { return finish(receipt) }
            // One of a higher id may be another's, of the same text, about to be sent.
            return deleteDuplicates(receipt, ids.filter { $0 < receipt.id })
        case .deletingDuplicates(let receipt, let rest): return deleteDuplicates(receipt, rest)
        case .waiting(let then, let action):
            state = then
            return action
        case .over: return .failed(.cancelled)
        }
    }

    private mutating func create() -> Action {
        creations += 1
        state = .creating
        return .createDraft
    }

    private mutating func send(_ id: Int64) -> Action {
        sends += 1
        draftId = id
        state = .sending(id)
        return .sendDraft(id)
    }

    private mutating func afterCreation(_ input: Input) -> Action {
        switch input {
        case .created(let id): return send(id)
        case .failed(let error) where error.isLostAnswer:
            return wait(then: .searching(cause: error), .searchDrafts, after: error)
        case .failed(let error): return fail(error)
        default: return fail(.cancelled)
        }
    }

    private mutating func afterSearch(_ input: Input, cause: FmsgError) -> Action {
        switch input {
        case .foundDrafts(let ids):
            failedLooks = 0
            if let id = ids.max() { return send(id) }
            return creations < Self.maximumCreations ? create() : fail(cause)
        default:
            // Nothing was sent: at worst a draft remains.
            failedLooks += 1
            guard failedLooks < Self.maximumFailedLooks else { return fail(cause) }
            return wait(then: .searching(cause: cause), .searchDrafts)
        }
    }

    private mutating func afterSend(_ input: Input, id: Int64) -> Action {
        switch input {
        case .sent(let receipt): return succeed(receipt)
        case .failed(let error) where error.isLostAnswer || error.isRetryable:
            return wait(then: .looking(id, cause: error), .look(id), after: error)
        case .failed(let error):
            state = .looking(id, cause: error)
            return .look(id)
        default: return fail(.cancelled)
        }
    }

    private mutating func afterLook(_ input: Input, id: Int64, cause: FmsgError) -> Action {
        switch input {
        case .looked(.sent(let receipt)): return succeed(receipt)
        case .looked(.gone):
            return fail(.notFound("draft \(id) is gone; it was not sent: \(cause.message)"))
        case .looked:
            failedLooks = 0
            if cause.isLostAnswer || cause.isRetryable, sends < Self.maximumSends {
                return send(id)
            }
            state = .deleting(id, cause: cause)
            return .deleteDraft(id)
        default:
            failedLooks += 1
            guard failedLooks < Self.maximumFailedLooks else {
                return fail(.outcomeUnknown(draftId: id, cause: cause.message))
            }
            return wait(then: .looking(id, cause: cause), .look(id))
        }
    }

    private mutating func afterDeletion(_ input: Input, id: Int64, cause: FmsgError) -> Action {
        // A refusal may mean that it was sent after all: only another look tells.
        if case .failed(.refused(let refusal)) = input, refusal.status == 403,
            failedLooks < Self.maximumFailedLooks
        {
            failedLooks += 1
            state = .looking(id, cause: cause)
            return .look(id)
        }
        guard case .failed(let error) = input, error.category != .notFound else {
            return fail(cause)
        }
        return fail(.draftRemains(draftId: id, cause: cause))
    }

    private mutating func succeed(_ receipt: Receipt) -> Action {
        guard creations > 1 else { return finish(receipt) }
        state = .searchingDuplicates(receipt)
        return .searchDrafts
    }

    private mutating func deleteDuplicates(_ receipt: Receipt, _ ids: [Int64]) -> Action {
        guard let id = ids.first else { return finish(receipt) }
        state = .deletingDuplicates(receipt, rest: Array(ids.dropFirst()))
        return .deleteDraft(id)
    }

    private mutating func interrupted(_ error: FmsgError) -> Action {
        switch state {
        case .searchingDuplicates(let receipt), .deletingDuplicates(let receipt, _):
            return finish(receipt)
        default: break
        }
        guard sends > 0, let draftId else { return fail(error) }
        return fail(.outcomeUnknown(draftId: draftId, cause: error.message))
    }

    /// Longer than usual when the host asks for it, within reason.
    private mutating func wait(
        then state: State, _ action: Action, after error: FmsgError? = nil
    ) -> Action {
        self.state = .waiting(then: state, action)
        let doublings = Double(1 << min(failedLooks + max(sends, creations) - 1, 5))
        let usual = min(0.2 * doublings, 5)
        guard case .refused(let refusal)? = error, let asked = refusal.retryAfter else {
            return .wait(usual)
        }
        return .wait(max(usual, min(asked, 30)))
    }

    private mutating func finish(_ receipt: Receipt) -> Action {
        state = .over
        return .finished(receipt)
    }

    private mutating func fail(_ error: FmsgError) -> Action {
        state = .over
        return .failed(error)
    }
}

extension FmsgError {
    /// Whether the host may have done what was asked although this is what came back.
    var isLostAnswer: Bool {
        switch self {
        case .transport(let error): error.mayHaveArrived
        case .refused(let refusal): refusal.status >= 500 || refusal.status == 408
        case .malformedAnswer: true
        default: false
        }
    }
}
