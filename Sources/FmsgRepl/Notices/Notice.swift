// SPDX-License-Identifier: GPL-3.0-or-later

import FmsgCore

/// Something to be announced above the prompt.
enum Notice: Sendable, Equatable {
    case message(MessageNotice)
    case reaction(ReactionNotice)
    /// Something became of a message: its id, and what.
    case change(Int64, String)
    /// A word of the program itself.
    case talk(String)
}

/// A message that arrived, as far as it is announced.
struct MessageNotice: Sendable, Equatable {
    /// What is kept of a text: more than a line of a wide window shows.
    private static let limit = 400

    let id: Int64
    let from: String
    /// That of its thread, where it is known.
    let topic: String
    /// The first line of the text, and what else there is.
    let text: String
    let isImportant: Bool

    init(_ message: FmsgMessage, topic: String) {
        id = message.id
        from = message.from
        self.topic = String(topic.prefix(Self.limit))
        let text = message.wholeText ?? message.shortText ?? ""
        let line = text.split(whereSeparator: \.isNewline).first { line in
            !line.allSatisfy(\.isWhitespace)
        }
        var parts = [String((line ?? "").prefix(Self.limit))]
        if !MediaType.isText(message.type) { parts = ["[\(message.type)]"] }
        if !message.attachments.isEmpty {
            let names = message.attachments.prefix(8).map(\.filename).joined(separator: ", ")
            parts.append("[attachments: \(names.prefix(Self.limit))]")
        }
        self.text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        isImportant = message.isImportant
    }
}

/// The reactions that a message has by now.
struct ReactionNotice: Sendable, Equatable {
    /// More than are told of one message.
    private static let limit = 8

    let id: Int64
    /// An emoji and who set it, each.
    let reactions: [String]

    init(_ message: FmsgMessage) {
        id = message.id
        reactions = message.reactions.prefix(Self.limit).map { tally in
            "\(tally.emoji) \(tally.from.prefix(Self.limit).joined(separator: ", "))"
        }
    }
}
