import CommandLineTool
import FmsgCore

/// A list of messages as text: a table on a terminal, tab-separated records in a pipe.
struct MessageTable: Sendable {
    let output: Output
    let columns: [MessageColumn]
    /// Whether the messages are one's own.
    let isSent: Bool

    private static let widestAddresses = 28

    /// - Parameter prefix: what each line begins with, as a column of its own.
    func write(
        _ messages: [FmsgMessage], prefix: String? = nil, flush: Bool = false
    ) throws {
        let prefixes = prefix.map { [$0] } ?? []
        guard let width = output.width else {
            for message in messages {
                try output.record(
                    prefixes + columns.map { $0.field(of: message, isSent: isSent) }, flush: flush)
            }
            return
        }
        let cells = messages.map { message in columns.map { cell($0, of: message) } }
        let widths = columns.indices.map { column in
            cells.map { DisplayText.width($0[column]) }.max() ?? 0
        }
        let numbers = LineNumbers(count: messages.count, output)
        for (index, (message, row)) in zip(messages, cells).enumerated() {
            let line = line(row, widths, message, width - numbers.width)
            try output.line(
                (prefixes + [numbers.text(index) + line]).joined(separator: "  "), flush: flush)
        }
    }

    /// One line, cut to the width before it is coloured.
    private func line(
        _ row: [String], _ widths: [Int], _ message: FmsgMessage, _ width: Int
    ) -> String {
        var line = ""
        var room = width
        for (index, column) in columns.enumerated() {
            let isLast = index == columns.count - 1
            // The topic runs on into the preview: most messages of a thread have none.
            let isTopic = column == .topic
            if isTopic && row[index].isEmpty { continue }
            let cut = DisplayText.cut(row[index], width: max(0, room))
            guard !cut.isEmpty || !isLast else { break }
            let padded =
                isLast || isTopic ? cut : DisplayText.pad(cut, width: min(widths[index], room))
            room -= DisplayText.width(padded) + 2
            line += look(padded, column, message)
            guard !isLast, room > 0 else { break }
            line += "  "
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    private func cell(_ column: MessageColumn, of message: FmsgMessage) -> String {
        switch column {
        case .time: return message.time.map { TimeText.short($0, output.time) } ?? "draft"
        case .flags: return MessageFlag.of(message, isSent: isSent).map(\.sign).joined()
        case .from, .to:
            let text = DisplayText.escape(column.field(of: message, isSent: isSent))
            return DisplayText.cut(text, width: Self.widestAddresses)
        case .preview:
            // Line ends say nothing in a preview.
            let text = column.field(of: message, isSent: isSent).prefix(400)
            return DisplayText.escape(
                text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        default: return DisplayText.escape(column.field(of: message, isSent: isSent))
        }
    }

    private func look(_ text: String, _ column: MessageColumn, _ message: FmsgMessage) -> String {
        let isUnread = !isSent && !message.isRead && message.document[Field.read] != nil
        switch column {
        case .id: return output.style.apply(.yellow, to: text)
        case .time: return output.style.apply(.dim, to: text)
        case .flags: return output.style.apply(.red, to: text)
        case .from where isUnread, .topic: return output.style.apply(.bold, to: text)
        default: return text
        }
    }
}
