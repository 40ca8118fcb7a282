import CommandLineTool
import FmsgCore

/// A column of a list in text; its raw value is its name for `--fields`.
enum MessageColumn: String, Sendable, CaseIterable {
    case id, time, from, to, flags, topic, preview, reactions

    static let inbox: [MessageColumn] = [.id, .time, .from, .flags, .topic, .preview]
    static let sent: [MessageColumn] = [.id, .time, .to, .flags, .topic, .preview]

    /// The value in a pipe, not yet escaped.
    func field(of message: FmsgMessage, isSent: Bool) -> String {
        switch self {
        case .id: String(message.id)
        case .time: message.time.flatMap(TimeText.rfc3339) ?? ""
        case .from: message.from
        case .to: message.to.joined(separator: ",")
        case .flags: MessageFlag.of(message, isSent: isSent).map(\.rawValue).joined(separator: ",")
        case .topic: message.topic
        case .preview: message.wholeText ?? message.shortText ?? ""
        case .reactions: Self.reactions(message)
        }
    }

    /// `👍 @bob@example.com,@carol@example.com; …`
    static func reactions(_ message: FmsgMessage) -> String {
        message.reactions.map { "\($0.emoji) \($0.from.joined(separator: ","))" }
            .joined(separator: "; ")
    }
}

/// What is worth knowing about a message at a glance; the raw value is its word in a pipe.
enum MessageFlag: String, Sendable, CaseIterable {
    case draft, unread, important
    case noReply = "no-reply"
    case terminal, attachments, added, reaction, pending, failed

    /// The sign on a terminal.
    var sign: String {
        switch self {
        case .draft: "D"
        case .unread: "N"
        case .important: "!"
        case .noReply: "x"
        case .terminal: "T"
        case .attachments: "@"
        case .added: "+"
        case .reaction: "R"
        case .pending: "…"
        case .failed: "F"
        }
    }

    /// What it says of a message, for the help.
    var meaning: String {
        switch self {
        case .draft: "a draft, not sent yet"
        case .unread: "new: you have not read it"
        case .important: "marked important"
        case .noReply: "its sender discards replies"
        case .terminal: "takes no reply, reaction or recipient"
        case .attachments: "has attachments"
        case .added: "recipients were added"
        case .reaction: "is a reaction"
        case .pending: "a recipient has not got it yet"
        case .failed: "a recipient will never get it"
        }
    }

    /// All of them, as the help shows them.
    static var terms: TextBlock {
        .terms(allCases.map { TextBlock.Term("\($0.sign)  \($0.rawValue)", $0.meaning) })
    }

    /// The letters in one line.
    static let letters = allCases.map { "\($0.sign) \($0.rawValue)" }.joined(separator: ", ")

    /// - Parameter isSent: whether it is one's own: then its delivery counts, not whether it
    ///   was read.
    static func of(_ message: FmsgMessage, isSent: Bool) -> [MessageFlag] {
        let deliveries = message.allDelivery.map(\.state)
        let hasFailed = deliveries.contains { if case .failed = $0 { true } else { false } }
        let facts: [(MessageFlag, Bool)] = [
            (.draft, message.isDraft),
            (
                .unread,
                !isSent && !message.isDraft && !message.isRead
                    && message.document[Field.read] != nil
            ),
            (.important, message.isImportant), (.noReply, message.isNoReply && !message.isReaction),
            (.terminal, message.isTerminal && !message.isReaction),
            (.attachments, !message.attachments.isEmpty), (.added, !message.addTo.isEmpty),
            (.reaction, message.isReaction),
            (.pending, isSent && !message.isDraft && deliveries.contains(.pending)),
            (.failed, isSent && !message.isDraft && hasFailed),
        ]
        return facts.filter(\.1).map(\.0)
    }
}
