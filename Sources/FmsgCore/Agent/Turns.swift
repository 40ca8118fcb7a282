/// One turn of a conversation as the chat API of a language model takes it.
public struct Turn: Sendable, Equatable {
    public enum Role: String, Sendable {
        case user, assistant
    }

    public let role: Role
    public let content: String

    public init(_ role: Role, _ content: String) {
        self.role = role
        self.content = content
    }

    /// The keys of ``document``.
    public static let keys = ["role", "content"]

    /// `{"role", "content"}`.
    public var document: JSONObject {
        JSONObject(fields: Array(zip(Self.keys, [.string(role.rawValue), .string(content)])))
    }
}

extension FmsgThread {
    /// The lineage as turns: one's own messages are the assistant's, all others the user's, each
    /// with its sender's address before the text. Reactions are left out; the first turn is
    /// always the user's.
    ///
    /// A text can imitate the address of another: whoever must be sure of a sender reads the
    /// messages themselves.
    /// - Parameters:
    ///   - address: one's own.
    ///   - limit: how many messages at the end count; nil for all.
    public func turns(for address: String, last limit: Int? = nil) -> [Turn] {
        var turns: [Turn] = []
        for entry in messages.suffix(limit ?? messages.count) {
            guard let message = entry.message else {
                turns.append(Turn(.user, "[earlier message not visible to you]"))
                continue
            }
            if message.isReaction { continue }
            if message.isFrom(address) {
                turns.append(Turn(.assistant, message.turnText))
            } else {
                turns.append(Turn(.user, "\(message.from):\n\(message.turnText)"))
            }
        }
        if turns.first?.role != .user { turns.insert(Turn(.user, "[thread start]"), at: 0) }
        return turns
    }

    /// The thread as an agent counts it: the topmost message that is visible, also on hosts that
    /// hide the top.
    public var visibleRootId: Int64 { visibleMessages.first?.id ?? triggerId }

    /// How many messages of the lineage `address` wrote, reactions not counted.
    public func replies(by address: String) -> Int {
        visibleMessages.count { $0.isFrom(address) && !$0.isReaction }
    }
}

extension FmsgMessage {
    fileprivate var turnText: String {
        let text = wholeText ?? "[non-text message: \(type)]"
        guard !attachments.isEmpty else { return text }
        return "\(text)\n[attachments: \(attachments.map(\.filename).joined(separator: ", "))]"
    }
}
