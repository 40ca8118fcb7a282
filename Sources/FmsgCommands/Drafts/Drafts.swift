import CommandLineTool
import FmsgCore

/// What the draft commands have in common.
enum Drafts {
    static let id = Operand.required("ID", .draftId, "The draft's id")
    static let ids = Operand.repeated("ID", .draftId, minimum: 1, "The drafts' ids")

    /// Draft `id`, which must be one's own and unsent.
    /// - Throws: ``CommandFailure`` where it is not, so that nothing is even tried.
    static func own(_ id: Int64, with client: FmsgClient) async throws -> FmsgMessage {
        let message = try await client.message(.id(id))
        guard message.isDraft else { throw FmsgError.noDraft(id) }
        guard message.isFrom(try await client.whoami().address) else {
            throw CommandFailure(
                "draft \(id) is another's", exitCode: .refused, messageId: id)
        }
        return message
    }

    /// The attachments of a draft, for `--json`.
    static func attachments(of draft: FmsgMessage) -> JSON {
        MessageDocument.object(draft)[Field.attachments] ?? .array([])
    }
}

extension ValueType where Element == Int64 {
    /// The id of a draft: `-N` counts the inbox, in which no draft is.
    static var draftId: Self {
        ValueType("ID", kind: .draftReference) { text throws(InvalidValue) in
            guard case .id(let id)? = try? MessageReference(text) else {
                throw InvalidValue("a draft is named by its id, which \"fmsg draft list\" shows")
            }
            return id
        }
    }
}
