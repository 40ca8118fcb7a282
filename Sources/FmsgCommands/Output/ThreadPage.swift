import CommandLineTool
import FmsgCore

/// A lineage as text or JSON.
struct ThreadPage: Sendable {
    let output: Output
    /// Whether the reactions were fetched and have a column.
    let showsReactions: Bool

    /// The keys that this program adds.
    private static let participants = "participants"
    private static let replyTargetId = "reply_target_id"

    static let keys = [
        Field.rootId, Field.triggerId, Field.complete, participants, replyTargetId, Field.messages,
    ]

    func write(_ thread: FmsgThread) throws {
        for (index, entry) in thread.messages.enumerated() {
            if output.width == nil {
                try output.record(record(entry))
            } else {
                if index > 0 { try output.line("") }
                try writeBlock(entry)
            }
        }
    }

    func json(_ thread: FmsgThread) -> JSONObject {
        [
            Field.rootId: .integer(thread.rootId), Field.triggerId: .integer(thread.triggerId),
            Field.complete: .bool(thread.isComplete),
            Self.participants: .strings(thread.participants),
            Self.replyTargetId: thread.replyTarget.map { JSON.integer($0.id) } ?? .null,
            Field.messages: .array(thread.messages.map { .object(MessageDocument.object($0)) }),
        ]
    }

    /// Id, time, from, flags, topic and the whole body; with reactions one field more.
    private func record(_ entry: FmsgThreadMessage) -> [String] {
        guard let message = entry.message else {
            return [String(entry.id), "", "", "invisible", "", ""] + (showsReactions ? [""] : [])
        }
        let columns = MessageColumn.inbox + (showsReactions ? [.reactions] : [])
        return columns.map { $0.field(of: message, isSent: false) }
    }

    private func writeBlock(_ entry: FmsgThreadMessage) throws {
        let style = output.style
        let id = style.apply(.yellow, to: String(entry.id))
        guard let message = entry.message else {
            try output.line("\(id)  \(style.apply(.dim, to: "[message not visible to you]"))")
            return
        }
        let time = message.time.map { TimeText.short($0, output.time) } ?? "draft"
        let flags = MessageFlag.of(message, isSent: false).map(\.rawValue).joined(separator: ",")
        var heading = "\(id)  \(style.apply(.bold, to: DisplayText.escape(message.from)))"
        heading += "  \(style.apply(.dim, to: time))"
        if !message.topic.isEmpty { heading += "  \(DisplayText.escape(message.topic))" }
        if !flags.isEmpty { heading += "  \(style.apply(.red, to: flags))" }
        try output.line(heading)
        for line in MessagePage.body(of: message).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            try output.line(line.isEmpty ? "" : "    \(line)")
        }
        if !message.attachments.isEmpty {
            let names = message.attachments.map { DisplayText.escape($0.filename) }
            try output.line("    [attachments: \(names.joined(separator: ", "))]")
        }
        for tally in message.reactions {
            try output.line(
                "    \(DisplayText.escape(tally.emoji)) "
                    + DisplayText.escape(tally.from.joined(separator: ", ")))
        }
    }
}
