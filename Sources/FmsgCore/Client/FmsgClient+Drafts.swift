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
        _ = try await perform(.replaceDraft, [String(id)], body: document)
    }

    /// Deletes a draft with its files; the host refuses for a sent message.
    public func deleteDraft(_ id: Int64) async throws(FmsgError) {
        _ = try await perform(.deleteDraft, [String(id)])
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
