/// Brings a send to a certain end though any of its answers may be lost (web API, section 9). A
/// pure state machine: it says what to do and is told what came of it.
///
/// A lost creation is looked for among the drafts before another is made; only one draft is
/// ever sent, one request at a time, and after a lost answer a look comes before a repetition.
/// A draft is deleted only after a look showed it unsent. With attachments it is all or nothing:
/// when one of them cannot be attached, the draft is deleted.
public struct SendSettlement: Sendable {
    public enum Action: Sendable, Equatable {
        case createDraft
        /// Attach the file of that number to the draft, in place of what is there of its name.
        case attach(Int, to: Int64)
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
        case attached
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

    /// How far it goes.
    public enum Goal: Sendable, Equatable {
        case send
        /// Make the draft, whole, and leave it.
        case keepDraft
    }

    /// The proof of a send, or of a draft.
    public struct Receipt: Sendable, Equatable {
        public let id: Int64
        /// POSIX seconds; nil of a draft.
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
        case attaching(Int64, number: Int)
        /// Nothing is to be sent any more, and the draft has to go.
        case abandoning(Int64, cause: FmsgError)
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
    /// How often each file is attached at the most.
    static let maximumAttempts = 3
    /// How often in a row a look or a search may fail before it is given up.
    static let maximumFailedLooks = 7

    private let attachments: Int
    private let goal: Goal
    private let isDraftKept: Bool
    private var state = State.creating
    private var creations = 0
    private var attempts = 0
    private var sends = 0
    private var failedLooks = 0
    private var draftId: Int64?

    /// Begins with the creation of the draft.
    /// - Parameter attachments: how many files it has.
    public init(attachments: Int = 0, goal: Goal = .send) {
        self.attachments = attachments
        self.goal = goal
        isDraftKept = false
    }

    /// Begins with a draft that exists, whole.
    /// - Parameter isDraftKept: whether a draft that the host refuses to send is left as it is.
    public init(draftId: Int64, isDraftKept: Bool = false) {
        attachments = 0
        goal = .send
        self.isDraftKept = isDraftKept
        state = .sending(draftId)
        self.draftId = draftId
    }

    /// Whether what is to be done now must be done though the caller gave up: it takes back what
    /// was half done.
    public var isAbandoning: Bool {
        switch state {
        case .abandoning: true
        case .deleting: sends == 0
        case .waiting(.abandoning, _): true
        default: false
        }
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
        case .attaching(let id, let number): return afterAttachment(input, id: id, number: number)
        case .abandoning(let id, let cause): return afterLastLook(input, id: id, cause: cause)
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
        case .created(let id): return attach(0, to: id)
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
            if let id = ids.max() { return attach(0, to: id) }
            return creations < Self.maximumCreations ? create() : fail(cause)
        default:
            // Nothing was sent: at worst a draft remains.
            failedLooks += 1
            guard failedLooks < Self.maximumFailedLooks else { return fail(cause) }
            return wait(then: .searching(cause: cause), .searchDrafts)
        }
    }

    /// Attaches the file of that number; after the last one the draft is whole.
    private mutating func attach(_ number: Int, to id: Int64) -> Action {
        guard number < attachments else {
            return goal == .send
                ? send(id) : succeed(Receipt(id: id, time: nil, sha256: nil))
        }
        draftId = id
        attempts = 1
        state = .attaching(id, number: number)
        return .attach(number, to: id)
    }

    private mutating func afterAttachment(_ input: Input, id: Int64, number: Int) -> Action {
        guard case .failed(let error) = input else { return attach(number + 1, to: id) }
        // The same name replaces, so that a lost answer needs no look.
        guard error.isLostAnswer || error.isRetryable, attempts < Self.maximumAttempts else {
            return abandon(id, for: error)
        }
        defer { attempts += 1 }
        return wait(
            then: .attaching(id, number: number), .attach(number, to: id), after: error)
    }

    private mutating func abandon(_ id: Int64, for cause: FmsgError) -> Action {
        failedLooks = 0
        state = .abandoning(id, cause: cause)
        return .look(id)
    }

    /// It was never asked to be sent here; whoever else has sent it meanwhile is left alone.
    private mutating func afterLastLook(_ input: Input, id: Int64, cause: FmsgError) -> Action {
        switch input {
        case .looked(.unsent):
            state = .deleting(id, cause: cause)
            return .deleteDraft(id)
        case .looked: return fail(cause)
        default:
            failedLooks += 1
            guard failedLooks < Self.maximumFailedLooks else {
                return fail(.draftRemains(draftId: id, cause: cause))
            }
            return wait(then: .abandoning(id, cause: cause), .look(id))
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
            if isDraftKept { return fail(cause) }
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
            state = sends == 0 ? .abandoning(id, cause: cause) : .looking(id, cause: cause)
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
        case .attaching(let id, _), .waiting(.attaching(let id, _), _):
            return abandon(id, for: error)
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
        let doublings = Double(1 << min(failedLooks + max(sends, creations, attempts) - 1, 5))
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
    /// Whether the host may have done what was asked although this is what came back. Of a request
    /// whose body could not be read it cannot: that never became whole.
    var isLostAnswer: Bool {
        switch self {
        case .transport(let error): error.mayHaveArrived && error.kind != .source
        case .refused(let refusal): refusal.status >= 500 || refusal.status == 408
        case .malformedAnswer: true
        default: false
        }
    }
}
