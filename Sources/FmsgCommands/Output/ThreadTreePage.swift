import CommandLineTool
import FmsgCore

/// A thread with its branches, as text or JSON.
package struct ThreadTreePage: Sendable {
    private let output: Output
    /// The acting address: one's own message is not unread.
    private let me: String
    /// The message that is marked, if any.
    private let marked: Int64?

    /// Prints a thread as the caller asked for it, and notes what was listed.
    package static func print(
        _ tree: ThreadTree, marked: Int64, with client: FmsgClient, in context: CommandContext
    ) async throws {
        let page = ThreadTreePage(
            output: context.output, me: try await client.whoami().address, marked: marked)
        context.note(.listed(tree.rows.map(\.entry.id)))
        if context.wantsJSON {
            try context.output.write(page.json(tree))
        } else {
            try page.write(tree)
        }
    }

    private func write(_ tree: ThreadTree) throws(OutputError) {
        let rows = tree.rows
        let numbers = LineNumbers(count: rows.count, output)
        for (index, row) in rows.enumerated() {
            if let width = output.width {
                try output.line(numbers.text(index) + line(row, width - numbers.width))
            } else {
                try output.record(record(row))
            }
        }
    }

    private func json(_ tree: ThreadTree) -> JSONObject {
        [
            Field.rootId: .integer(tree.rootId), Field.triggerId: .integer(tree.triggerId),
            Field.complete: .bool(tree.isComplete),
            Field.messages: .array(
                tree.rows.map { row in
                    var object = MessageDocument.object(row.entry)
                    object[Field.pid] = row.parentId.map { JSON.integer($0) } ?? .null
                    return .object(object)
                }),
        ]
    }

    /// Id, parent, time, from, flags, topic and preview.
    private func record(_ row: ThreadTree.Row) -> [String] {
        let parent = row.parentId.map { String($0) } ?? ""
        guard let message = row.entry.message else {
            return [String(row.entry.id), parent, "", "", "invisible", "", ""]
        }
        let isSent = message.isFrom(me)
        var fields = MessageColumn.inbox.map { $0.field(of: message, isSent: isSent) }
        fields.insert(parent, at: 1)
        return fields
    }

    private func line(_ row: ThreadTree.Row, _ width: Int) -> String {
        let style = output.style
        let stem = Self.stem(row, width)
        let sign = marked == nil ? "" : marked == row.entry.id ? "* " : "  "
        let id = String(row.entry.id)
        var room = width - sign.utf8.count - DisplayText.width(stem) - id.utf8.count - 2
        let start = sign + style.apply(.dim, to: stem) + style.apply(.yellow, to: id) + "  "
        guard let message = row.entry.message else {
            return start
                + style.apply(.dim, to: DisplayText.cut("[not visible to you]", width: room))
        }
        let from = DisplayText.cut(DisplayText.escape(message.from), width: max(0, room))
        room -= DisplayText.width(from) + 2
        let text = DisplayText.cut(Self.summary(of: message), width: max(0, room))
        let isUnread = MessageFlag.of(message, isSent: message.isFrom(me)).contains(.unread)
        return start + (isUnread ? style.apply(.bold, to: from) : from)
            + (text.isEmpty ? "" : "  " + text)
    }

    /// Topic and the beginning of the text on one line, made safe.
    private static func summary(of message: FmsgMessage) -> String {
        let text = (message.wholeText ?? message.shortText ?? "").prefix(400)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return DisplayText.escape(
            message.topic.isEmpty
                ? words : words.isEmpty ? message.topic : "\(message.topic): \(words)")
    }

    /// The lines that lead to a branch; of a deep one only as many as leave room for its text.
    private static func stem(_ row: ThreadTree.Row, _ width: Int) -> String {
        let shown = row.branches.suffix(max(1, width / 8))
        return shown.enumerated().map { index, goesOn in
            let isOwn = row.beginsBranch && index == shown.count - 1
            return isOwn ? (goesOn ? "├ " : "└ ") : (goesOn ? "│ " : "  ")
        }.joined()
    }
}
