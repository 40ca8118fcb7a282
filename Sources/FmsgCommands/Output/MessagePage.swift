import CommandLineTool
import FmsgCore

/// One message in full as text: headings and body on a terminal, one field a line in a pipe.
package struct MessagePage: Sendable {
    let output: Output
    /// The acting address: one's own message is not unread.
    let me: String

    package init(output: Output, me: String) {
        self.output = output
        self.me = me
    }

    package func write(_ message: FmsgMessage) throws {
        if output.width == nil {
            for (name, value) in fields(message) { try output.record([name, value]) }
            return
        }
        for (name, value) in fields(message) where name != Field.body {
            guard !value.isEmpty else { continue }
            let heading = DisplayText.pad(name + ":", width: 12)
            let shown =
                name == Field.time
                ? message.time.map { TimeText.long($0, output.time) } ?? value : value
            try output.line(
                output.style.apply(.dim, to: heading) + " " + DisplayText.escape(shown))
        }
        try output.line("")
        try output.line(Self.body(of: message))
    }

    /// The body for a terminal, or what stands for one that is no text.
    static func body(of message: FmsgMessage) -> String {
        guard let text = message.wholeText else {
            let type = DisplayText.escape(message.type)
            return "[non-text message: \(type), \(message.size) bytes]"
        }
        // A last line end is not shown twice.
        let shown = text.hasSuffix("\n") ? String(text.dropLast()) : text
        return DisplayText.escape(shown, keepsLines: true)
    }

    private func fields(_ message: FmsgMessage) -> [(String, String)] {
        let added = message.addTo.map { batch in
            "\(batch.to.joined(separator: ",")) by \(batch.from)"
        }
        let separator = output.width == nil ? "," : ", "
        let flags = MessageFlag.of(message, isSent: message.isFrom(me)).map(\.rawValue)
        let attachments = message.attachments.map { "\($0.filename) (\($0.size) bytes)" }
        return [
            (Field.id, String(message.id)), (Field.pid, message.pid.map { String($0) } ?? ""),
            (Field.time, message.time.flatMap(TimeText.rfc3339) ?? "draft"),
            (Field.from, message.from),
            (Field.to, message.to.joined(separator: separator)),
            (Field.addTo, added.joined(separator: "; ")), (Field.topic, message.topic),
            (Field.type, message.type), ("flags", flags.joined(separator: ",")),
            (Field.attachments, attachments.joined(separator: separator)),
            ("delivery", delivery(message).joined(separator: "; ")),
            (Field.reactions, MessageColumn.reactions(message)),
            (Field.body, message.wholeText ?? ""),
        ]
    }

    /// The recipients that it has not reached, in words.
    private func delivery(_ message: FmsgMessage) -> [String] {
        message.allDelivery.compactMap { delivery in
            switch delivery.state {
            case .delivered: nil
            case .pending: message.isDraft ? nil : "\(delivery.address) pending"
            case .failed(let code): "\(delivery.address) failed (\(code.meaning))"
            }
        }
    }
}
