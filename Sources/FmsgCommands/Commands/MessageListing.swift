import CommandLineTool
import FmsgCore

/// What `inbox` and `sent` have in common: options, filters, and reading page by page.
struct MessageListing: Sendable {
    static let limit = Option.value(
        "limit", short: "n", .integer(1...100_000), standard: 20, "How many messages")
    static let all = Option.flag("all", "Every message, to the end of the list")
    static let from = Option.values("from", .address, "Only from this sender")
    static let topic = Option.value(
        "topic", .text("TEXT", kind: .topic), "Only messages whose topic holds the text")
    static let important = Option.flag("important", "Only important messages")
    static let reactions = Option.flag("reactions", "Show reactions as messages, too")
    static let since = Option.value(
        "since", .instant, "Only messages not older: RFC 3339, a date (UTC), or an age such as 2d")

    /// How many messages a filtered list looks at before it gives up.
    static let lookLimit = 1000

    let route: Route
    let filter: MessageFilter
    /// Nil for every one.
    let limit: Int?

    init(_ invocation: Invocation, route: Route, filter: MessageFilter) {
        self.route = route
        self.filter = filter
        limit = invocation[Self.all] ? nil : invocation[Self.limit]
    }

    /// Reads pages until enough match, and hands the matches of each page to `take`.
    /// - Returns: true when it stopped at ``lookLimit`` with fewer than wanted.
    func read(
        from client: FmsgClient, take: ([FmsgMessage]) throws -> Void
    ) async throws -> Bool {
        var found = 0
        // A plain count takes a request a hundred; whatever must not miss one overlaps its pages.
        let isPlain = limit != nil && !filter.isNarrow
        var walk = PageWalk(overlap: isPlain ? 0 : PageWalk.usualOverlap)
        while true {
            let size = pageSize(isFirst: walk.looked == 0)
            let page =
                route == .sent
                ? try await client.sent(limit: size, offset: walk.offset)
                : try await client.inbox(limit: size, offset: walk.offset)
            let matches = walk.take(page, limit: size).filter(filter.matches)
            let wanted = matches.prefix(limit.map { $0 - found } ?? .max)
            found += wanted.count
            try take(Array(wanted))
            if walk.isAtEnd || found == limit { return false }
            if let limit, walk.looked >= max(Self.lookLimit, limit) { return true }
        }
    }

    /// A first page that is likely enough, and whole pages after it.
    private func pageSize(isFirst: Bool) -> Int {
        guard let limit, isFirst, !filter.isNarrow else { return FmsgClient.maximumPage }
        return min(FmsgClient.maximumPage, limit + limit / 2 + 5)
    }
}

/// Which messages a list shows.
struct MessageFilter: Sendable {
    /// Whether drafts are shown, or nothing else.
    var showsDrafts = false
    var isDraftsOnly = false
    var showsReactions = false
    var isUnreadOnly = false
    var isImportantOnly = false
    var senders: [FmsgAddress] = []
    var topic: String?
    /// POSIX seconds.
    var since: Double?

    init(_ invocation: Invocation, now: Double) {
        showsReactions = invocation[MessageListing.reactions]
        isImportantOnly = invocation[MessageListing.important]
        topic = invocation[MessageListing.topic]?.lowercased()
        since = invocation[MessageListing.since]?.seconds(before: now)
    }

    /// Whether it may leave out most of what there is.
    var isNarrow: Bool {
        isDraftsOnly || isUnreadOnly || isImportantOnly || !senders.isEmpty || topic != nil
            || since != nil
    }

    func matches(_ message: FmsgMessage) -> Bool {
        guard let time = message.time else { return showsDrafts && hasTopic(message) }
        return !isDraftsOnly && (showsReactions || !message.isReaction)
            && (!isUnreadOnly || !message.isRead) && (!isImportantOnly || message.isImportant)
            && (senders.isEmpty || senders.contains { sameAddress($0.text, message.from) })
            && hasTopic(message) && (since.map { time >= $0 } ?? true)
    }

    private func hasTopic(_ message: FmsgMessage) -> Bool {
        topic.map { message.topic.lowercased().contains($0) } ?? true
    }
}
