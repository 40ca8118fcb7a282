/// Reads the inbox to find what is new in it (design: listing). A pure state machine: it says
/// which page to read and is told what came.
///
/// How it walks the pages of a list that moves, ``PageWalk`` says. Ids tell nothing about what is
/// new, since they are given to drafts, and late additions have old ones: the caller tells.
public struct InboxCatchUp: Sendable {
    public enum Action: Sendable, Equatable {
        case readPage(offset: Int, limit: Int)
        /// All that is new, by time, then id.
        case finished([KeptMessage])
    }

    private let lookBack: Int
    private let goesOnWhileNew: Bool
    private var walk = PageWalk()
    private var found: [Int64: KeptMessage] = [:]

    /// - Parameters:
    ///   - lookBack: messages to look at in any case.
    ///   - goesOnWhileNew: whether to look further while all of a page is new.
    public init(lookBack: Int, goesOnWhileNew: Bool) {
        self.lookBack = lookBack
        self.goesOnWhileNew = goesOnWhileNew
    }

    public func start() -> Action { readPage }

    /// The page that was to be read.
    /// - Parameter isNew: whether a message is to be handed out. Drafts are never asked about:
    ///   they are met again once they are sent.
    public mutating func next(page: [FmsgMessage], isNew: (FmsgMessage) -> Bool) -> Action {
        var isAllNew = true
        for message in page where !message.isDraft {
            if isNew(message) {
                found[message.id] = KeptMessage(message)
            } else {
                isAllNew = false
            }
        }
        walk.take(page, limit: FmsgClient.maximumPage)
        if walk.isAtStart, !walk.isAtEnd { return readPage }
        let goesOn = walk.looked < lookBack || (goesOnWhileNew && isAllNew)
        return walk.isAtEnd || !goesOn ? finish() : readPage
    }

    private var readPage: Action { .readPage(offset: walk.offset, limit: FmsgClient.maximumPage) }

    private func finish() -> Action {
        .finished(found.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) })
    }
}
