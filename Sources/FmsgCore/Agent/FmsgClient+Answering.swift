extension FmsgClient {
    /// Performs an action of an ``AnswerTask`` that the host alone has to do with; nil for any other:
    /// the handler's, the ledger's, and the look for an answer, for which ``answers(downTo:since:)``
    /// is there.
    public func outcome(of action: AnswerTask.Action) async -> AnswerTask.Input? {
        do throws(FmsgError) {
            switch action {
            case .searchDrafts(let intent):
                return .foundDrafts(try await drafts(of: intent))
            case .createDraft(let intent): return .created(try await createDraft(intent.reply))
            case .look(let id, let intent): return .looked(try await look(at: id, intent))
            case .sendDraft(let id):
                _ = try await sendDraft(id)
                return .sent
            case .deleteDraft(let id):
                try await deleteDraft(id)
                return .deleted
            case .markRead(let id):
                _ = try await markRead(id)
                return .marked
            case .wait(let seconds):
                try await pause(seconds)
                return .waited
            case .runHandler, .record, .findAnswer, .finished: return nil
            }
        } catch {
            return .failed(error)
        }
    }

    /// What one has sent in reply to messages from the id `floor` on.
    /// - Parameter known: what was found before, to be brought up to date where it reaches down to
    ///   the floor.
    public func answers(
        downTo floor: Int64, since known: AnswerIndex? = nil
    ) async throws(FmsgError) -> AnswerIndex {
        var index = AnswerIndex(downTo: floor)
        var action = index.start()
        if let known, known.floor <= floor {
            index = known
            action = index.refresh()
        }
        while case .readPage(let offset, let limit) = action {
            action = index.next(page: try await sent(limit: limit, offset: offset))
        }
        return index
    }

    /// The drafts that equal the intent, but for those that somebody else made.
    private func drafts(of intent: AnswerIntent) async throws(FmsgError) -> [Int64] {
        let index = try await answers(downTo: intent.messageId)
        var ids: [Int64] = []
        for draft in index.drafts(to: intent.messageId)
        where !intent.otherDrafts.contains(draft.id) {
            if try await isDraft(draft, of: intent.reply) { ids.append(draft.id) }
        }
        return ids
    }

    private func look(
        at id: Int64, _ intent: AnswerIntent
    ) async throws(FmsgError) -> AnswerTask.Look {
        do {
            let message = try await message(.id(id))
            if !message.isDraft { return .sent }
            return try await isDraft(message, of: intent.reply) ? .unsent : .changed
        } catch .refused(let refusal) where refusal.status == 404 {
            return .gone
        }
    }
}
