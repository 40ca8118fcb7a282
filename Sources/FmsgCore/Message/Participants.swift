extension FmsgMessage {
    /// Everyone who takes part: `from`, every `to`, and of every add-to batch who added and who
    /// was added, in that order, the host's spelling kept, folded duplicates dropped (section 1).
    public var participants: [String] {
        uniqueAddresses([from] + to + addTo.flatMap { [$0.from] + $0.to })
    }

    /// Whether the message may be answered: sent, neither no-reply nor terminal.
    public var acceptsReplies: Bool { !isDraft && !isNoReply && !isTerminal }

    /// Whether `address` wrote it.
    public func isFrom(_ address: String) -> Bool { sameAddress(from, address) }

    /// The batch by which alone `address` takes part; nil when it is the sender or a primary
    /// recipient, or no participant.
    public func onlyBatch(of address: String) -> AddToBatch? {
        guard !isFrom(address), !to.contains(where: { sameAddress($0, address) }) else {
            return nil
        }
        return addTo.first { batch in batch.to.contains { sameAddress($0, address) } }
    }

    /// How `address` names this message as the parent of a reply: by its id, or by the hash of
    /// the batch that alone made it a participant, where the host gives one (section 4).
    public func parentReference(for address: String) -> ParentReference {
        ParentReference(id: id, batchSHA256: onlyBatch(of: address)?.sha256)
    }

    /// The recipients of a reply by `address`: the sender; of one's own message its recipients.
    public func replyRecipients(for address: String) -> [String] {
        guard isFrom(address) else { return [from] }
        let others = to.filter { !sameAddress($0, address) }
        return uniqueAddresses(others.isEmpty ? [address] : others)
    }

    /// The recipients of a reply to all by `address`: the participants and the owner, without
    /// `address` itself. The owner is added only when its domain is that of `address` or of a
    /// participant, so that no message reaches a domain that never saw the parent.
    public func replyAllRecipients(for address: String, owner: String?) -> [String] {
        var all = participants
        if let owner, Self.domain(owner, isOneOf: participants + [address]) { all.append(owner) }
        let others = uniqueAddresses(all).filter { !sameAddress($0, address) }
        return others.isEmpty ? [address] : others
    }

    private static func domain(_ address: String, isOneOf others: [String]) -> Bool {
        guard let domain = try? FmsgAddress(address).domain else { return false }
        return others.contains { other in
            (try? FmsgAddress(other)).map { sameAddress($0.domain, domain) } ?? false
        }
    }
}

/// The parent of a reply as its author must name it.
public struct ParentReference: Sendable, Equatable {
    /// The parent's id.
    public let id: Int64
    /// The add-to batch's hash that goes in its place for someone who was only added.
    public let batchSHA256: String?

    public init(id: Int64, batchSHA256: String? = nil) {
        self.id = id
        self.batchSHA256 = batchSHA256
    }

    var json: JSON { batchSHA256.map(JSON.string) ?? .integer(id) }
}
