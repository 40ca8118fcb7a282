/// Reads the inbox to find what is new in it (design: listing). A pure state machine: it says
/// which page to read and is told what came.
///
/// The list moves while it is paged by offset: what is deleted between two pages shifts the rest,
/// and a message could fall between them. So pages overlap by a few, and when none of a page's
/// messages is met again on the next one, it starts over. Ids tell nothing about what is new,
/// since they are given to drafts, and late additions have old ones: the caller tells.
public struct InboxCatchUp: Sendable {
    public enum Action: Sendable, Equatable {
        case readPage(offset: Int, limit: Int)
        /// All that is new, by time, then id.
        case finished([KeptMessage])
    }

    /// Messages that two pages share.
    static let overlap = 3
    /// How often it starts over at the most; a list that moves faster is read as it comes.
    static let maximumRestarts = 8

    private let lookBack: Int
    private let goesOnWhileNew: Bool
    private var offset = 0
    private var looked = 0
    private var restarts = 0
    private var previousPage: Set<Int64> = []
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
        let ids = Set(page.map(\.id))
        if !previousPage.isEmpty, !page.isEmpty, previousPage.isDisjoint(with: ids),
            restarts < Self.maximumRestarts
        {
            restarts += 1
            offset = 0
            looked = 0
            previousPage = []
            return readPage
        }
        var isAllNew = true
        for message in page where !message.isDraft {
            if isNew(message) {
                found[message.id] = KeptMessage(message)
            } else {
                isAllNew = false
            }
        }
        looked += ids.subtracting(previousPage).count
        previousPage = ids
        let isAtEnd = page.count < FmsgClient.maximumPage
        guard !isAtEnd, looked < lookBack || (goesOnWhileNew && isAllNew) else { return finish() }
        offset += page.count - Self.overlap
        return readPage
    }

    private var readPage: Action { .readPage(offset: offset, limit: FmsgClient.maximumPage) }

    private func finish() -> Action {
        .finished(found.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) })
    }
}
