// SPDX-License-Identifier: GPL-3.0-or-later

import FmsgCore

/// What was met lately, for completion: messages and correspondents, the latest first, and no
/// more than a person scrolls through.
struct KnownMessages: Sendable, Equatable {
    struct Known: Sendable, Equatable {
        let id: Int64
        let from: String
        /// The topic, or the beginning of the text.
        let summary: String
        let attachments: [String]
    }

    private static let messageLimit = 200
    private static let addressLimit = 500
    private static let summaryLimit = 60

    private(set) var messages: [Known] = []
    private(set) var addresses: [String] = []

    mutating func add(_ message: FmsgMessage) {
        let text = message.topic.isEmpty ? message.shortText ?? "" : message.topic
        let known = Known(
            id: message.id, from: message.from,
            summary: String(text.split(whereSeparator: \.isNewline).first ?? "").prefixed(
                Self.summaryLimit),
            attachments: message.attachments.map(\.filename))
        // Replacing in place keeps a flood of updates cheap.
        if let index = messages.firstIndex(where: { $0.id == message.id }) {
            messages[index] = known
        } else {
            let place = messages.firstIndex { $0.id < message.id } ?? messages.endIndex
            messages.insert(known, at: place)
            if messages.count > Self.messageLimit { messages.removeLast() }
        }
        for address in [message.from] + message.to.prefix(20) { add(address: address) }
    }

    mutating func add(address: String) {
        guard addresses.first != address, !address.isEmpty else { return }
        addresses.removeAll { $0 == address }
        addresses.insert(address, at: 0)
        if addresses.count > Self.addressLimit { addresses.removeLast() }
    }

    func message(_ id: Int64) -> Known? { messages.first { $0.id == id } }
}

extension String {
    fileprivate func prefixed(_ count: Int) -> String { String(prefix(count)) }
}
