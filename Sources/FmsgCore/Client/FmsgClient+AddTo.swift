extension FmsgClient {
    /// Adds recipients to a sent message, as one batch. A lost answer is settled by a look.
    /// - Throws: ``FmsgError``; after a lost answer only where no look shows the batch.
    public func add(
        _ addresses: [String], to id: Int64
    ) async throws(FmsgError) -> AddToReceipt {
        do throws(FmsgError) {
            return try await addOnce(addresses, to: id)
        } catch {
            guard error.isLostAnswer, let batch = try? await batch(of: addresses, on: id) else {
                throw error
            }
            return AddToReceipt(
                id: id, added: Int64(batch.to.count), batchId: batch.batchId, sha256: batch.sha256)
        }
    }

    private func addOnce(
        _ addresses: [String], to id: Int64
    ) async throws(FmsgError) -> AddToReceipt {
        let response = try await perform(
            .addTo, [String(id)], body: [Field.addTo: .strings(addresses)])
        return try Self.decode(response, .addTo) { (value) throws(ShapeError) in
            let fields = try FieldReader(value, as: "the answer")
            return AddToReceipt(
                id: id, added: try fields.integer(Field.added) ?? 0,
                batchId: try fields.integer(Field.batchId),
                sha256: try fields.string(Field.sha256))
        }
    }

    /// The last batch by which one has added just these.
    private func batch(
        of addresses: [String], on id: Int64
    ) async throws(FmsgError) -> AddToBatch? {
        let me = try await whoami().address
        let wanted = Set(addresses.map(addressKey))
        return try await message(.id(id)).addTo.last { batch in
            sameAddress(batch.from, me) && Set(batch.to.map(addressKey)) == wanted
        }
    }
}

/// What became of an add-to.
public struct AddToReceipt: Sendable, Equatable {
    public let id: Int64
    /// How many were asked for.
    public let added: Int64
    public let batchId: Int64?
    /// The batch's hash, on hosts that give it.
    public let sha256: String?
}
