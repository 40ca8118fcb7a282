/// The `:id` of a path: a decimal id or, on current hosts, a SHA-256.
enum MessageReference: Sendable {
    case id(Int64)
    case sha256([UInt8])

    /// - Throws: ``Refusal`` when the first parameter is neither.
    init(_ parameters: [String], isCurrent: Bool) throws {
        let text = parameters.first ?? ""
        if isCurrent, let hash = Hex.decodeDigest(text) {
            self = .sha256(hash)
        } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(text), id > 0
        {
            self = .id(id)
        } else {
            throw Refusal.invalidId
        }
    }

    /// - Throws: ``Refusal`` when there is no such message.
    func message(_ database: Database) throws -> StoredMessage {
        let id: Int64? =
            switch self {
            case .id(let id): id
            case .sha256(let hash): try database.messageId(sha256: hash)
            }
        guard let id, let message = try database.message(id) else { throw Refusal.messageNotFound }
        return message
    }
}
