// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool

/// Notices as lines of a terminal: made safe, cut to its width, and coloured.
struct NoticeText: Sendable {
    let columns: Int
    let style: Style

    func lines(_ batch: NoticeBoard.Batch) -> [String] {
        var lines = batch.whole.map(line)
        if let folded = batch.messages { lines.append(line(folded)) }
        if batch.others > 0 {
            lines.append(quiet("\(batch.others) other things happened to your messages"))
        }
        return lines
    }

    private func line(_ notice: Notice) -> String {
        switch notice {
        case .message(let message): line(message)
        case .reaction(let reaction):
            quiet("[\(reaction.id)] \(reaction.reactions.joined(separator: "; "))")
        case .change(let id, let text): quiet("[\(id)] \(text)")
        case .talk(let text): quiet(text)
        }
    }

    private func line(_ message: MessageNotice) -> String {
        let sign = message.isImportant ? "! " : ""
        let id = cut("[\(message.id)] \(sign)", columns)
        let from = cut(message.from, columns - DisplayText.width(id))
        var room = columns - DisplayText.width(id) - DisplayText.width(from) - 2
        var line = style.apply(.yellow, to: id) + style.apply(.bold, to: from)
        // The topic leads on to the text; a reply has none.
        let topic = room > 0 ? cut(message.topic, room) : ""
        if !topic.isEmpty {
            line += "  " + style.apply(.bold, to: topic)
            room -= DisplayText.width(topic) + 2
        }
        let text = room > 0 ? cut(message.text, room) : ""
        return text.isEmpty ? line : line + "  " + text
    }

    private func line(_ folded: NoticeBoard.Folded) -> String {
        let senders = folded.senders.joined(separator: ", ")
        let more = folded.hasMoreSenders ? " and others" : ""
        let text =
            "[\(folded.lowest)-\(folded.highest)] \(folded.count) messages from \(senders)\(more)"
        return style.apply(.bold, to: cut(text, columns))
    }

    private func quiet(_ text: String) -> String { style.apply(.dim, to: cut(text, columns)) }

    private func cut(_ text: String, _ width: Int) -> String {
        DisplayText.cut(DisplayText.escape(text), width: max(0, width))
    }
}
