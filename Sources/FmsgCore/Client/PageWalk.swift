/// Walks a list page by page by offset while it moves (web API, section 8): pages overlap, what
/// was met is not given again, and when nothing of a page is met on the next one, since something
/// was deleted meanwhile, the walk starts over. It ends also on a host whose pages bring nothing
/// new.
public struct PageWalk: Sendable {
    /// Messages that two pages share, unless no gap can matter.
    public static let usualOverlap = 3
    private static let maximumRestarts = 8
    private static let maximumBarrenPages = 8

    /// Where the next page begins.
    public private(set) var offset = 0
    /// How many different messages were met.
    public var looked: Int { seen.count }
    /// Whether there is no page to come.
    public private(set) var isAtEnd = false
    /// Whether the walk begins, for the first time or anew.
    public var isAtStart: Bool { offset == 0 }
    private let overlap: Int
    private var seen: Set<Int64> = []
    private var previous: Set<Int64> = []
    private var restarts = 0
    private var barrenPages = 0

    public init(overlap: Int = usualOverlap) { self.overlap = overlap }

    /// Takes a page in.
    /// - Parameter limit: the size that was asked for.
    /// - Returns: what was not met before, in the order of the page.
    @discardableResult
    public mutating func take(_ page: [FmsgMessage], limit: Int) -> [FmsgMessage] {
        let ids = Set(page.map(\.id))
        let fresh = page.filter { seen.insert($0.id).inserted }
        barrenPages = fresh.isEmpty ? barrenPages + 1 : 0
        let hasGap = overlap > 0 && !previous.isEmpty && previous.isDisjoint(with: ids)
        if hasGap, restarts < Self.maximumRestarts {
            restarts += 1
            offset = 0
            previous = []
            return fresh
        }
        isAtEnd = page.count < limit || barrenPages >= Self.maximumBarrenPages
        offset += max(1, page.count - overlap)
        previous = ids
        return fresh
    }
}
