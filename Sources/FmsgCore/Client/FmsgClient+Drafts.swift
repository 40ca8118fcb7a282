extension FmsgClient {
    /// Makes a draft and gives its id.
    public func createDraft(_ message: NewMessage) async throws(FmsgError) -> Int64 {
        try await createDraft(message, from: try await whoami().address)
    }

    func createDraft(
        _ message: NewMessage, from sender: String
    ) async throws(FmsgError) -> Int64 {
        let response = try await perform(.createDraft, body: message.draftDocument(from: sender))
        return try Self.decode(response, .createDraft) { (value) throws(ShapeError) in
            let fields = try FieldReader(value, as: "the answer")
            return try fields.required(Field.id, try fields.id(Field.id))
        }
    }

    /// Replaces a draft whole: what `message` leaves out is wiped, attachments stay.
    public func replaceDraft(_ id: Int64, with message: NewMessage) async throws(FmsgError) {
        let document = message.draftDocument(from: try await whoami().address)
        try await repeating { () throws(FmsgError) in
            _ = try await self.perform(.replaceDraft, [String(id)], body: document)
        }
    }

    /// Deletes a draft with its files; the host refuses for a sent message.
    public func deleteDraft(_ id: Int64) async throws(FmsgError) {
        var isRepeated = false
        try await repeating { () throws(FmsgError) in
            do throws(FmsgError) {
                _ = try await self.perform(.deleteDraft, [String(id)])
            } catch {
                // It was deleted by the request whose answer was lost.
                guard isRepeated, error.category == .notFound else {
                    isRepeated = true
                    throw error
                }
            }
        }
    }

    /// The draft as it would be written anew: its whole text, and its parent by the name that its
    /// author must use.
    /// - Throws: ``FmsgError``; also when `draft` was sent, is another's, or has a body that is no
    ///   UTF-8, which no request could carry.
    public func content(of draft: FmsgMessage) async throws(FmsgError) -> NewMessage {
        let me = try await whoami().address
        guard draft.isDraft else { throw .noDraft(draft.id) }
        guard draft.isFrom(me) else { throw .invalid("draft \(draft.id) is not yours") }
        var parent: ParentReference?
        if let pid = draft.pid {
            parent = try await message(.id(pid)).parentReference(for: me)
        }
        return NewMessage(
            to: draft.to, topic: draft.topic, parent: parent, type: draft.type,
            text: try await text(of: draft), isImportant: draft.isImportant,
            isNoReply: draft.isNoReply, isTerminal: draft.isTerminal)
    }

    private func text(of draft: FmsgMessage) async throws(FmsgError) -> String {
        if let text = draft.wholeText { return text }
        guard let text = String(validating: try await body(of: draft), as: UTF8.self) else {
            throw .invalid("the body of draft \(draft.id) is not UTF-8 and cannot be kept")
        }
        return text
    }

    /// Sends a draft with one request, without settling a lost answer.
    func sendDraft(_ id: Int64) async throws(FmsgError) -> SendSettlement.Receipt {
        let response = try await perform(.send, [String(id)])
        return try Self.decode(response, .send) { (value) throws(ShapeError) in
            let fields = try FieldReader(value, as: "the answer")
            return SendSettlement.Receipt(
                id: id, time: try fields.required(Field.time, try fields.double(Field.time)),
                sha256: try fields.string(Field.sha256))
        }
    }
}
