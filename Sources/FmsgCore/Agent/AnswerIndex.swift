/// What one has sent in reply to what, found in the sent list from its newest end down to an id, and
/// kept up to date by what is new at that end. A pure state machine: it says which page to read and
/// is told what came.
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
    private var highest: Int64 = 0
    /// All from the floor up to here was met by the walks before.
    private var known: Int64?

    /// - Parameter floor: the lowest id whose replies are of interest.
    public init(downTo floor: Int64) { self.floor = floor }

    public func start() -> Action { readPage }

    /// Begins at the newest end again, to read down to what was met before. What became of a draft
    /// is noticed on the pages that are read, the newest one at the least.
    public mutating func refresh() -> Action {
        walk = PageWalk()
        known = highest
        return readPage
    }

    /// How many messages have a sent reply.
    public var count: Int { answers.count }

    /// The page of the sent list that was to be read.
    public mutating func next(page: [FmsgMessage]) -> Action {
        for message in page {
            highest = max(highest, message.id)
            guard let pid = message.pid, !message.isReaction else { continue }
            if message.isDraft {
                drafts[pid, default: []].append(message)
            } else {
                answers[pid] = max(message.id, answers[pid] ?? 0)
                drafts[pid]?.removeAll { $0.id == message.id }
            }
        }
        walk.take(page, limit: FmsgClient.maximumPage)
        if walk.isAtStart, !walk.isAtEnd { return readPage }
        let lowest = page.map(\.id).min() ?? 0
        return walk.isAtEnd || lowest <= max(floor, known ?? floor) ? .finished : readPage
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
