// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool

/// The prompt: who one is, how many messages are unread, what is open, and whether there is a
/// connection. It never takes more than half of the window: what matters least is left out first.
struct PromptText: Sendable, Equatable {
    private static let shortestTopic = 4
    private static let longestTopic = 24

    var identity: String?
    var unread = 0
    /// The open message's id, and the topic of its thread.
    var open: (id: Int64, topic: String)?
    var connection = ReplState.Connection.connected

    init(_ state: ReplState) {
        identity = state.identity
        unread = state.unread.count
        open = state.open.map { ($0.message.id, $0.topic) }
        connection = state.connection
    }

    static func == (left: PromptText, right: PromptText) -> Bool {
        left.identity == right.identity && left.unread == right.unread
            && left.open?.id == right.open?.id && left.open?.topic == right.open?.topic
            && left.connection == right.connection
    }

    /// The prompt without looks, for a window of so many columns.
    func plain(columns: Int) -> String { parts(columns).map(\.text).joined(separator: " ") + "> " }

    /// The prompt as readline takes it: looks stand between \u{1} and \u{2}, which mark what takes
    /// no room.
    func marked(columns: Int, _ style: Style) -> String {
        parts(columns).map { part in
            guard style.isOn, let look = part.look else { return part.text }
            return "\u{1}\u{1B}[\(look.rawValue)m\u{2}\(part.text)\u{1}\u{1B}[0m\u{2}"
        }.joined(separator: " ") + "> "
    }

    private struct Part {
        let text: String
        let look: Style.Look?
    }

    /// The first choice of parts that fits.
    private func parts(_ columns: Int) -> [Part] {
        let address = DisplayText.escape(identity ?? "fmsg")
        let name = DisplayText.cut(
            String(address.prefix(1) + address.dropFirst().prefix { $0 != "@" }), width: 24)
        let count = unread > 0 ? Part(text: "(\(unread))", look: .bold) : nil
        let id = open.map { Part(text: "#\($0.id)", look: .yellow) }
        let room = columns / 2 - 2
        func width(_ parts: [Part?]) -> Int {
            parts.compactMap { $0 }.reduce(0) { $0 + DisplayText.width($1.text) + 1 } - 1
        }
        let long = [Part(text: address, look: .cyan), count, id, state(isLong: true)]
        if let open, !open.topic.isEmpty {
            let left = min(room - width(long) - 1, Self.longestTopic)
            if left >= Self.shortestTopic {
                let topic = DisplayText.cut(DisplayText.escape(open.topic), width: left)
                return [long[0], count, id, Part(text: topic, look: nil), long[3]].compactMap { $0 }
            }
        }
        let choices = [
            long, [Part(text: name, look: .cyan), count, id, state(isLong: false)],
            [count, id, state(isLong: false)], [id, state(isLong: false)], [],
        ]
        let fitting = choices.first { width($0) <= room } ?? []
        return fitting.compactMap { $0 }
    }

    private func state(isLong: Bool) -> Part? {
        switch connection {
        case .connected: nil
        case .none: Part(text: isLong ? "not logged in" : "?", look: .red)
        case .connecting: Part(text: isLong ? "connecting" : "~", look: .dim)
        case .silent: Part(text: isLong ? "no events" : "?", look: .red)
        case .offline: Part(text: isLong ? "offline" : "!", look: .red)
        }
    }
}
