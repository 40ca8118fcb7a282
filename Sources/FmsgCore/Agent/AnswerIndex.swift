/// What one has sent in reply to what, found in the sent list from its newest end down to an id.
/// A pure state machine: it says which page to read and is told what came.
///
/// A reply has a greater id than its parent, since ids of one host rise. As in ``InboxCatchUp``
/// pages overlap, and it starts over when the list has moved between two of them.
public struct AnswerIndex: Sendable {
    public enum Action: Sendable, Equatable {
        case readPage(offset: Int, limit: Int)
        case finished
    }

    /// Replies to messages with lower ids may be missing.
    public let floor: Int64
    private var answers: [Int64: Int64] = [:]
    private var drafts: [Int64: [FmsgMessage]] = [:]
    private var offset = 0
    private var restarts = 0
    private var previousPage: Set<Int64> = []

    /// - Parameter floor: the lowest id whose replies are of interest.
    public init(downTo floor: Int64) { self.floor = floor }

    public func start() -> Action { readPage }

    /// The page of the sent list that was to be read.
    public mutating func next(page: [FmsgMessage]) -> Action {
        let ids = Set(page.map(\.id))
        if !previousPage.isEmpty, !page.isEmpty, previousPage.isDisjoint(with: ids),
            restarts < InboxCatchUp.maximumRestarts
        {
            restarts += 1
            offset = 0
            previousPage = []
            return readPage
        }
        for message in page where !previousPage.contains(message.id) {
            guard let pid = message.pid, !message.isReaction else { continue }
            if message.isDraft {
                drafts[pid, default: []].append(message)
            } else {
                answers[pid] = max(message.id, answers[pid] ?? 0)
            }
        }
        previousPage = ids
        guard page.count == FmsgClient.maximumPage, let lowest = ids.min(), lowest > floor else {
            return .finished
        }
        offset += page.count - InboxCatchUp.overlap
        return readPage
    }

    /// A sent reply to a message, if there is one.
    public func answer(to messageId: Int64) -> Int64? { answers[messageId] }

    /// The drafts of replies to a message.
    public func drafts(to messageId: Int64) -> [FmsgMessage] {
        var seen: Set<Int64> = []
        return (drafts[messageId] ?? []).filter { seen.insert($0.id).inserted }
    }

    private var readPage: Action { .readPage(offset: offset, limit: FmsgClient.maximumPage) }
}
