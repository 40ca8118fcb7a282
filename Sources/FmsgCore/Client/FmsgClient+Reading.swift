extension FmsgClient {
    /// The longest page of a list that hosts give (web API, section 4).
    public static let maximumPage = 100

    /// Received messages, id descending: one page. It holds drafts of others and reactions, as
    /// the host gives them (sections 5 and 6).
    public func inbox(limit: Int = 20, offset: Int = 0) async throws(FmsgError) -> [FmsgMessage] {
        try await list(.inbox, limit: limit, offset: offset)
    }

    /// Messages and drafts of one's own, id descending: one page.
    public func sent(limit: Int = 20, offset: Int = 0) async throws(FmsgError) -> [FmsgMessage] {
        try await list(.sent, limit: limit, offset: offset)
    }

    private func list(
        _ route: Route, limit: Int, offset: Int
    ) async throws(FmsgError) -> [FmsgMessage] {
        var query = [("limit", String(limit))]
        if offset > 0 { query.append(("offset", String(offset))) }
        let response = try await perform(
            route, query: query, maximumResponseBytes: ResponseLimit.list)
        return try Self.decode(response, route) { (value) throws(ShapeError) in
            if value.isNull { return [] }
            guard let items = value.array else { throw ShapeError("the answer", "an array") }
            var messages: [FmsgMessage] = []
            messages.reserveCapacity(items.count)
            for (index, item) in items.enumerated() {
                guard let document = item.object else {
                    throw ShapeError("item \(index)", "an object")
                }
                do throws(ShapeError) {
                    messages.append(try FmsgMessage(document: document))
                } catch {
                    throw ShapeError(reason: "item \(index): \(error.reason)")
                }
            }
            return messages
        }
    }

    /// A message of which one is a participant, or a draft of one's own. Its body is there only
    /// as far as the preview goes; see ``body(of:)``.
    public func message(_ reference: MessageReference) async throws(FmsgError) -> FmsgMessage {
        switch reference {
        case .id(let id): return try await message(id: id, named: String(id))
        case .sha256(let hash):
            return try await message(id: try await id(of: hash), named: hash)
        case .newest(let count): return try await newest(count)
        }
    }

    private func message(id: Int64, named name: String) async throws(FmsgError) -> FmsgMessage {
        let response = try await perform(
            .message, [name], maximumResponseBytes: ResponseLimit.list)
        return try Self.decode(response, .message) { (value) throws(ShapeError) in
            guard let document = value.object else { throw ShapeError("the answer", "an object") }
            return try FmsgMessage(document: document, id: id)
        }
    }

    /// The `count`-th newest message by id of the inbox, drafts and reactions not counted.
    /// - Throws: ``FmsgError/notFound(_:)`` when there are not that many.
    public func newest(_ count: Int) async throws(FmsgError) -> FmsgMessage {
        var remaining = count
        let found = try await search { message in
            remaining -= 1
            return remaining == 0
        }
        guard let found else { throw Self.noneSoOld(count) }
        return found
    }

    /// The ids of the `count` newest messages, counted as by ``newest(_:)``, in that order.
    /// - Throws: ``FmsgError/notFound(_:)`` when there are not that many.
    public func newestIds(_ count: Int) async throws(FmsgError) -> [Int64] {
        var ids: [Int64] = []
        let last = try await search { message in
            ids.append(message.id)
            return ids.count == count
        }
        guard last != nil else { throw Self.noneSoOld(count) }
        return ids
    }

    /// Walks the inbox, drafts and reactions left out, to the first message that `isFound` takes.
    private func search(
        _ isFound: (FmsgMessage) -> Bool
    ) async throws(FmsgError) -> FmsgMessage? {
        var walk = PageWalk()
        while !walk.isAtEnd {
            let page = try await inbox(limit: Self.maximumPage, offset: walk.offset)
            for message in walk.take(page, limit: Self.maximumPage)
            where !message.isDraft && !message.isReaction && isFound(message) {
                return message
            }
        }
        return nil
    }

    private static func noneSoOld(_ count: Int) -> FmsgError {
        .notFound("there is no message -\(count): the inbox holds fewer")
    }

    /// The id of the message with a hash. The route of a message leaves it out; its lineage tells
    /// it, or, of one that is too long, the lists, as far as ``searchLimit``.
    func id(of hash: String) async throws(FmsgError) -> Int64 {
        do {
            return try await lineage(named: hash).triggerId
        } catch .refused(let refusal) where refusal.status == 422 || refusal.status == 413 {
            for route in [Route.inbox, .sent] {
                var walk = PageWalk()
                while !walk.isAtEnd, walk.looked < Self.searchLimit {
                    let page = try await list(
                        route, limit: Self.maximumPage, offset: walk.offset)
                    let found = walk.take(page, limit: Self.maximumPage)
                        .first { $0.sha256 == hash }
                    if let found { return found.id }
                }
            }
            throw .refused(refusal)
        }
    }

    /// How many messages of a list are searched for a hash.
    private static let searchLimit = 1000

    /// `message` with its whole body where it is text: no request when the preview is all of it.
    public func withBody(_ message: FmsgMessage) async throws(FmsgError) -> FmsgMessage {
        guard message.body == nil, MediaType.isText(message.type) else { return message }
        if let text = message.wholeText {
            return message.with(body: MessageBody(preview: text, type: message.type))
        }
        let bytes = try await body(of: message)
        return message.with(body: MessageBody(type: message.type, bytes: bytes))
    }

    /// As ``withBody(_:)``, for a message that was only just announced: such a one may not be
    /// readable for a moment (section 7), so a 404 is asked about again, for two seconds in all.
    public func withBodyOnceReadable(
        _ message: FmsgMessage
    ) async throws(FmsgError) -> FmsgMessage {
        try await onceReadable { () throws(FmsgError) in try await withBody(message) }
    }

    /// As ``thread(_:)``, for a message that was only just announced.
    public func threadOnceReadable(_ id: Int64) async throws(FmsgError) -> FmsgThread {
        try await onceReadable { () throws(FmsgError) in try await thread(.id(id)) }
    }

    private func onceReadable<Value: Sendable>(
        _ read: () async throws(FmsgError) -> Value
    ) async throws(FmsgError) -> Value {
        var pause = 0.05
        while true {
            do {
                return try await read()
            } catch  where error.category == .notFound && pause < 1 {
                do {
                    try await clock.sleep(pause)
                } catch {
                    throw .cancelled
                }
                pause *= 2
            }
        }
    }

    /// The id that a reference stands for: no request for an id.
    public func id(of reference: MessageReference) async throws(FmsgError) -> Int64 {
        switch reference {
        case .id(let id): id
        case .sha256(let hash): try await id(of: hash)
        case .newest(let count): try await newest(count).id
        }
    }

    /// The bytes of a message's whole body.
    /// - Throws: ``FmsgError/malformedAnswer(_:reason:)`` where there are more or fewer than the
    ///   message says; a draft may have changed meanwhile.
    public func body(of message: FmsgMessage) async throws(FmsgError) -> [UInt8] {
        let bytes = try await perform(
            .data, [String(message.id)], maximumResponseBytes: ResponseLimit.body
        ).body
        guard bytes.count == message.size || message.isDraft else {
            throw .malformedAnswer(
                .data, reason: "\(bytes.count) bytes came instead of \(message.size)")
        }
        return bytes
    }

    /// The lineage of a message, root first, every text body whole: one request, or on older
    /// hosts a walk up its parents.
    /// - Throws: ``FmsgError``; of a lineage that is too deep the host's refusal (422) or
    ///   ``FmsgError/threadTooDeep``.
    public func thread(_ reference: MessageReference) async throws(FmsgError) -> FmsgThread {
        switch reference {
        case .newest(let count): return try await thread(.id(try await newest(count).id))
        case .sha256(let hash): return try await lineage(named: hash)
        case .id(let id):
            do {
                return try await lineage(named: String(id))
            } catch .unsupported {
                return try await walkedLineage(of: id)
            }
        }
    }

    /// `thread` with the reactions on each of its messages, at one request a message.
    public func withReactions(_ thread: FmsgThread) async throws(FmsgError) -> FmsgThread {
        var fetched: [Int64: FmsgMessage] = [:]
        for message in thread.visibleMessages {
            fetched[message.id] = try await self.message(.id(message.id))
        }
        do {
            return try thread.with(reactionsOf: fetched)
        } catch {
            throw .malformedAnswer(.message, reason: error.reason)
        }
    }

    private func lineage(named name: String) async throws(FmsgError) -> FmsgThread {
        let response = try await perform(
            .threadMessages, [name], maximumResponseBytes: ResponseLimit.lineage)
        return try Self.decode(response, .threadMessages) { (value) throws(ShapeError) in
            guard let document = value.object else { throw ShapeError("the answer", "an object") }
            return try FmsgThread(document: document)
        }
    }

    private func walkedLineage(of id: Int64) async throws(FmsgError) -> FmsgThread {
        var walk = LineageWalk(triggerId: id)
        var action = walk.start()
        while true {
            switch action {
            case .fetchMessage(let id):
                do {
                    action = walk.fetched(try await message(.id(id)))
                } catch .refused(let refusal) where walk.isAtAncestor && refusal.hidesMessage {
                    action = walk.ancestorIsInvisible(id)
                }
            case .fetchBody(let message):
                let bytes = try await body(of: message)
                action = walk.fetched(body: MessageBody(type: message.type, bytes: bytes))
            case .finished(let thread): return thread
            case .tooDeep: throw .threadTooDeep
            }
        }
    }
}

extension HostRefusal {
    /// Whether it says that the message is absent or not the caller's to see.
    var hidesMessage: Bool { status == 403 || status == 404 }
}
