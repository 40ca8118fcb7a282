/// All of a thread that the acting address knows: a lineage, and the branches beside it that its
/// inbox and sent list hold (web API, section 5). Reactions and drafts are no part of it.
///
/// What hangs on a message that neither the lineage nor the lists hold is not found.
public struct ThreadTree: Sendable, Equatable {
    public let rootId: Int64
    /// The message that was asked for.
    public let triggerId: Int64
    /// Whether all of the lists was looked at that can belong to the thread, and every message
    /// of it is visible.
    public let isComplete: Bool
    private var entries: [Int64: FmsgThreadMessage] = [:]
    private var parents: [Int64: Int64] = [:]
    private var children: [Int64: [Int64]] = [:]

    /// A message of the tree, and where it stands.
    public struct Row: Sendable, Equatable {
        public let entry: FmsgThreadMessage
        /// The parent's id; nil for the root.
        public let parentId: Int64?
        /// For each fork above it, from the root down: whether another branch follows there.
        public let branches: [Bool]
        /// Whether it stands right below a fork, the last of ``branches``.
        public let beginsBranch: Bool
    }

    /// - Parameters:
    ///   - others: messages that may belong to it, in any order.
    ///   - hasAllOthers: whether no other message can.
    public init(lineage: FmsgThread, others: [FmsgMessage], hasAllOthers: Bool = true) {
        rootId = lineage.rootId
        triggerId = lineage.triggerId
        isComplete = hasAllOthers && lineage.isComplete
        var above: Int64?
        for entry in lineage.messages {
            add(entry, below: above)
            above = entry.id
        }
        let byParent = Dictionary(
            grouping: others.filter { $0.pid != nil && !$0.isDraft && !$0.isReaction }
        ) { $0.pid ?? 0 }
        var reached = lineage.messages.map(\.id)
        while let id = reached.popLast() {
            for message in byParent[id] ?? [] where entries[message.id] == nil {
                add(FmsgThreadMessage(message), below: id)
                reached.append(message.id)
            }
        }
        children = children.mapValues { $0.sorted { order($0) < order($1) } }
    }

    private mutating func add(_ entry: FmsgThreadMessage, below parent: Int64?) {
        entries[entry.id] = entry
        guard let parent else { return }
        parents[entry.id] = parent
        children[parent, default: []].append(entry.id)
    }

    private func order(_ id: Int64) -> (Double, Int64) {
        (entries[id]?.message?.time ?? 0, id)
    }

    /// The message with an id, if the tree holds it.
    public subscript(id: Int64) -> FmsgThreadMessage? { entries[id] }

    public func parent(of id: Int64) -> Int64? { parents[id] }

    /// The replies to a message, oldest first.
    public func replies(to id: Int64) -> [Int64] { children[id] ?? [] }

    /// The ids from the root down to a message of the tree, both included.
    public func path(to id: Int64) -> [Int64] {
        var path: [Int64] = []
        var next = entries[id] == nil ? nil : id
        while let id = next {
            path.append(id)
            next = parents[id]
        }
        return path.reversed()
    }

    /// The nearest message above that has several replies; the root where there is none.
    public func fork(above id: Int64) -> Int64 {
        var id = id
        while let parent = parents[id] {
            id = parent
            if replies(to: id).count > 1 { break }
        }
        return id
    }

    /// Every message, each before its replies, branches one after the other, oldest first.
    public var rows: [Row] {
        var rows: [Row] = []
        var rest: [(id: Int64, branches: [Bool], begins: Bool)] = [(rootId, [], false)]
        while let (id, branches, begins) = rest.popLast() {
            guard let entry = entries[id] else { continue }
            rows.append(
                Row(
                    entry: entry, parentId: parents[id], branches: branches,
                    beginsBranch: begins))
            let replies = replies(to: id)
            // A single reply goes on with the line; only a fork makes branches.
            for (index, reply) in replies.enumerated().reversed() {
                let isFork = replies.count > 1
                let own = isFork ? [index < replies.count - 1] : []
                rest.append((reply, branches + own, isFork))
            }
        }
        return rows
    }
}

extension FmsgClient {
    /// How many messages of each list are looked at for branches.
    private static let branchLimit = 10_000

    /// A thread with all of its branches that the lists know. A reply's id is above its parent's,
    /// so the lists are read down to the root's id, and no further than 10,000 messages.
    public func threadTree(
        _ reference: MessageReference
    ) async throws(FmsgError) -> ThreadTree {
        let lineage = try await thread(reference)
        var others: [FmsgMessage] = []
        var hasAll = true
        for isInbox in [true, false] {
            var walk = PageWalk()
            var isBelowRoot = false
            while !walk.isAtEnd, !isBelowRoot, hasAll {
                let page =
                    isInbox
                    ? try await inbox(limit: Self.maximumPage, offset: walk.offset)
                    : try await sent(limit: Self.maximumPage, offset: walk.offset)
                others += walk.take(page, limit: Self.maximumPage).filter { $0.pid != nil }
                isBelowRoot = page.contains { $0.id <= lineage.rootId }
                hasAll = walk.looked < Self.branchLimit
            }
        }
        return ThreadTree(lineage: lineage, others: others, hasAllOthers: hasAll)
    }
}
