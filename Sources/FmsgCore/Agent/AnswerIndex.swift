/// What one has sent in reply to what, found in the sent list from its newest end down to an id.
/// A pure state machine: it says which page to read and is told what came.
///
/// A reply has a greater id than its parent, since ids of one host rise. How the pages of a list
/// that moves are walked, ``PageWalk`` says.
public struct AnswerIndex: Sendable {
    public enum Action: Sendable, Equatable {
        case readPage(offset: Int, limit: Int)
        case finished
    }

    /// Replies to messages with lower ids may be missing.
    public let floor: Int64
    private var answers: [Int64: Int64] = [:]
    private var drafts: [Int64: [FmsgMessage]] = [:]
    private var walk = PageWalk()

    /// - Parameter floor: the lowest id whose replies are of interest.
    public init(downTo floor: Int64) { self.floor = floor }

    public func start() -> Action { readPage }

    /// The page of the sent list that was to be read.
    public mutating func next(page: [FmsgMessage]) -> Action {
        for message in page {
            guard let pid = message.pid, !message.isReaction else { continue }
            if message.isDraft {
                drafts[pid, default: []].append(message)
            } else {
                answers[pid] = max(message.id, answers[pid] ?? 0)
            }
        }
        walk.take(page, limit: FmsgClient.maximumPage)
        if walk.isAtStart, !walk.isAtEnd { return readPage }
        let lowest = page.map(\.id).min() ?? 0
        return walk.isAtEnd || lowest <= floor ? .finished : readPage
    }

    /// A sent reply to a message, if there is one.
    public func answer(to messageId: Int64) -> Int64? { answers[messageId] }

    /// The drafts of replies to a message.
    public func drafts(to messageId: Int64) -> [FmsgMessage] {
        var seen: Set<Int64> = []
        return (drafts[messageId] ?? []).filter { seen.insert($0.id).inserted }
    }

    private var readPage: Action { .readPage(offset: walk.offset, limit: FmsgClient.maximumPage) }
}
