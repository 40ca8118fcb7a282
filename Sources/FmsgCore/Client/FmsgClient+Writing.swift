extension FmsgClient {
    /// Sends a message: two requests, one for each attachment, and as many more as it takes to be
    /// certain when an answer is lost (web API, section 9). When a file cannot be attached nothing
    /// is sent, and the draft is deleted.
    /// - Throws: ``FmsgError``; ``FmsgError/outcomeUnknown(draftId:cause:)`` when it may have
    ///   been sent. With any other error nothing was sent.
    @discardableResult
    public func send(
        _ message: NewMessage, attachments: [NewAttachment] = []
    ) async throws(FmsgError) -> SentMessage {
        try await settle(
            SendSettlement(attachments: attachments.count), message, attachments: attachments)
    }

    /// Makes a draft with its attachments, as settled as a send; its time is nil.
    /// - Throws: ``FmsgError``; there is no draft then, unless it says so.
    public func createDraft(
        _ message: NewMessage, attachments: [NewAttachment]
    ) async throws(FmsgError) -> SentMessage {
        try await settle(
            SendSettlement(attachments: attachments.count, goal: .keepDraft), message,
            attachments: attachments)
    }

    /// Sends a draft that exists, whole, as settled as a new message.
    /// - Parameters:
    ///   - message: what the draft holds.
    ///   - isDraftKept: whether a draft that the host refuses to send is left as it is; else it is
    ///     deleted.
    /// - Throws: as ``send(_:attachments:)``.
    @discardableResult
    public func sendDraft(
        _ id: Int64, of message: NewMessage, isDraftKept: Bool = false
    ) async throws(FmsgError) -> SentMessage {
        try await settle(SendSettlement(draftId: id, isDraftKept: isDraftKept), message)
    }

    /// Replies to a message's sender (to one's own message: to its recipients).
    /// - Throws: as ``send(_:)``, and ``FmsgError/invalid(_:)`` before any sending when the
    ///   parent takes no replies.
    @discardableResult
    public func reply(to parent: FmsgMessage, text: String) async throws(FmsgError) -> SentMessage {
        let me = try await whoami().address
        try Self.checkAcceptsReplies(parent)
        return try await send(
            NewMessage(
                to: parent.replyRecipients(for: me), parent: parent.parentReference(for: me),
                text: text))
    }

    /// Replies to a message that is named by its id: one request more.
    @discardableResult
    public func reply(to id: Int64, text: String) async throws(FmsgError) -> SentMessage {
        try await reply(to: try await message(.id(id)), text: text)
    }

    /// Replies to every participant of a message and to one's owner.
    /// - Throws: as ``reply(to:text:)``.
    @discardableResult
    public func replyAll(
        to parent: FmsgMessage, text: String
    ) async throws(FmsgError) -> SentMessage {
        let identity = try await whoami()
        try Self.checkAcceptsReplies(parent)
        return try await send(
            NewMessage(
                to: parent.replyAllRecipients(for: identity.address, owner: identity.owner),
                parent: parent.parentReference(for: identity.address), text: text))
    }

    /// - Throws: ``FmsgError/invalid(_:)`` when nothing may be built on `parent`, or its sender
    ///   would discard a reply and `allowNoReply` is false.
    public static func checkAcceptsReplies(
        _ parent: FmsgMessage, allowNoReply: Bool = false
    ) throws(FmsgError) {
        if parent.isDraft { throw .invalid("message \(parent.id) is a draft: it was never sent") }
        if parent.isTerminal {
            throw .invalid("message \(parent.id) is terminal: it takes no replies")
        }
        if parent.isNoReply && !allowNoReply {
            throw .invalid("the sender of message \(parent.id) discards replies (no-reply)")
        }
    }

    /// Sets one's reaction on a message, in place of a former one.
    public func react(to id: Int64, with emoji: String) async throws(FmsgError) -> ReactionReceipt {
        try await putReaction(on: id, emoji)
    }

    /// Takes one's reaction on a message back.
    public func clearReaction(on id: Int64) async throws(FmsgError) -> ReactionReceipt {
        try await putReaction(on: id, "")
    }

    private func putReaction(
        on id: Int64, _ emoji: String
    ) async throws(FmsgError) -> ReactionReceipt {
        let response = try await perform(
            .react, [String(id)], body: [Field.emoji: .string(emoji)])
        return try Self.decode(response, .react) { (value) throws(ShapeError) in
            let fields = try FieldReader(value, as: "the answer")
            return ReactionReceipt(
                id: id, emoji: emoji, reactionId: try fields.id(Field.id),
                isChanged: response.status == 201)
        }
    }

    /// Marks a message read. Repeating it is harmless: the first time stands.
    public func markRead(_ id: Int64) async throws(FmsgError) -> ReadReceipt {
        let response = try await perform(.markRead, [String(id)])
        return try Self.decode(response, .markRead) { (value) throws(ShapeError) in
            let fields = try FieldReader(value, as: "the answer")
            return ReadReceipt(id: id, timeRead: try fields.double(Field.timeRead))
        }
    }

    // MARK: Settling a send

    private func settle(
        _ settlement: SendSettlement, _ message: NewMessage, attachments: [NewAttachment] = []
    ) async throws(FmsgError) -> SentMessage {
        let sender = try await whoami().address
        try Self.check(message)
        var settlement = settlement
        var action = settlement.start()
        while true {
            let input: SendSettlement.Input
            switch action {
            case .finished(let receipt):
                return SentMessage(
                    id: receipt.id, time: receipt.time, sha256: receipt.sha256, from: sender,
                    message: message)
            case .failed(let error): throw error
            case _ where settlement.isAbandoning:
                // A task of its own: the one that was cancelled can take nothing back.
                input = await Task { [action] in
                    await self.input(of: action, message, attachments, from: sender)
                }.value
            default: input = await self.input(of: action, message, attachments, from: sender)
            }
            action = settlement.next(after: input)
        }
    }

    private static func check(_ message: NewMessage) throws(FmsgError) {
        guard !message.to.isEmpty else { throw .invalid("a message needs a recipient") }
        guard message.parent == nil || message.topic.isEmpty else {
            throw .invalid("a reply has no topic of its own")
        }
    }

    private func input(
        of action: SendSettlement.Action, _ message: NewMessage, _ attachments: [NewAttachment],
        from sender: String
    ) async -> SendSettlement.Input {
        do throws(FmsgError) {
            return try await outcome(of: action, message, attachments, from: sender)
        } catch {
            return .failed(error)
        }
    }

    private func outcome(
        of action: SendSettlement.Action, _ message: NewMessage, _ attachments: [NewAttachment],
        from sender: String
    ) async throws(FmsgError) -> SendSettlement.Input {
        switch action {
        case .createDraft: return .created(try await createDraft(message, from: sender))
        case .attach(let number, let id):
            _ = try await attach(attachments[number], to: id)
            return .attached
        case .sendDraft(let id): return .sent(try await sendDraft(id))
        case .look(let id): return .looked(try await look(at: id))
        case .searchDrafts: return .foundDrafts(try await drafts(of: message))
        case .deleteDraft(let id):
            try await deleteDraft(id)
            return .deleted
        case .wait(let seconds):
            try await pause(seconds)
            return .waited
        case .finished, .failed: return .waited
        }
    }

    private func look(at id: Int64) async throws(FmsgError) -> SendSettlement.Look {
        do {
            let message = try await message(.id(id))
            guard let time = message.time else { return .unsent }
            return .sent(.init(id: id, time: time, sha256: message.sha256))
        } catch .refused(let refusal) where refusal.status == 404 {
            return .gone
        }
    }

    /// The drafts that equal `message`, among the newest: where a creation whose answer was
    /// lost must stand.
    private func drafts(of message: NewMessage) async throws(FmsgError) -> [Int64] {
        var ids: [Int64] = []
        for draft in try await sent(limit: Self.maximumPage) {
            if try await isDraft(draft, of: message) { ids.append(draft.id) }
        }
        return ids
    }

    /// Whether a draft of one's own holds just this message: its body is fetched only where all
    /// else is alike and the preview is not all of it.
    func isDraft(
        _ draft: FmsgMessage, of message: NewMessage
    ) async throws(FmsgError) -> Bool {
        guard message.isDrafted(as: draft, from: try await whoami().address) else { return false }
        let text: String
        if let whole = draft.wholeText {
            text = whole
        } else {
            text = String(decoding: try await body(of: draft), as: UTF8.self)
        }
        return text.utf8.elementsEqual(message.text.utf8)
    }
}

/// What became of a reaction.
public struct ReactionReceipt: Sendable, Equatable {
    /// The subject.
    public let id: Int64
    /// Empty when cleared.
    public let emoji: String
    /// The reaction message; nil when there was nothing to clear.
    public let reactionId: Int64?
    /// False when the same reaction stood before.
    public let isChanged: Bool
}

/// What became of a mark.
public struct ReadReceipt: Sendable, Equatable {
    public let id: Int64
    /// When it was first read, in POSIX seconds.
    public let timeRead: Double?
}
