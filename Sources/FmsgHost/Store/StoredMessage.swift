import FmsgCore

/// A message as the host keeps it, with all that belongs to it.
struct StoredMessage: Sendable {
    struct Recipient: Sendable {
        var id: Int64
        var address: String
        var key: AddressKey
        var timeDelivered: Double?
        var responseCode: Int64?
        var timeRead: Double?
    }

    struct Batch: Sendable {
        var id: Int64
        var from: String
        var fromKey: AddressKey
        var time: Double
        var sha256: [UInt8]?
        var recipients: [Recipient] = []
    }

    struct Attachment: Sendable {
        var filename: String
        var size: Int64
        var sha256: [UInt8]
        var file: String
    }

    /// One message of a reactor, in the order of time then hash.
    struct Reaction: Sendable {
        var from: String
        var fromKey: AddressKey
        var emoji: String
    }

    var id: Int64
    var from: String
    var fromKey: AddressKey
    var pid: Int64?
    var parentSHA256: [UInt8]?
    var topic: String
    var type: String
    var size: Int64
    var important: Bool
    var noReply: Bool
    var terminal: Bool
    var shortText: String?
    var time: Double?
    var sha256: [UInt8]?
    /// Non-nil on a message that is a reaction; empty when it clears.
    var emoji: String?
    var recipients: [Recipient] = []
    var batches: [Batch] = []
    var attachments: [Attachment] = []
    var reactions: [Reaction] = []

    var isDraft: Bool { time == nil }

    /// Its recipients and those of its batches.
    var allRecipients: [Recipient] { recipients + batches.flatMap(\.recipients) }

    /// The participants (web API, section 1), each once, in the host's spelling.
    var participants: [String] {
        uniqueAddresses(
            [from] + recipients.map(\.address)
                + batches.flatMap { [$0.from] + $0.recipients.map(\.address) })
    }

    func isParticipant(_ key: AddressKey) -> Bool {
        isPrimaryParticipant(key) || allRecipients.contains { $0.key == key }
    }

    /// Whether it is the sender or one of `to`, so not only someone who was added.
    func isPrimaryParticipant(_ key: AddressKey) -> Bool {
        fromKey == key || recipients.contains { $0.key == key }
    }

    /// When the holder of `key` read it.
    func timeRead(by key: AddressKey) -> Double? {
        allRecipients.lazy.filter { $0.key == key }.compactMap(\.timeRead).first
    }

    /// The reactions in force (web API, section 6): the latest of each reactor, grouped by emoji.
    var effectiveReactions: [(emoji: String, from: [String])] {
        var latest: [Reaction] = []
        for reaction in reactions {
            latest.removeAll { $0.fromKey == reaction.fromKey }
            latest.append(reaction)
        }
        var groups: [(emoji: String, from: [String])] = []
        for reaction in latest where !reaction.emoji.isEmpty {
            if let index = groups.firstIndex(where: { $0.emoji == reaction.emoji }) {
                groups[index].from.append(reaction.from)
            } else {
                groups.append((reaction.emoji, [reaction.from]))
            }
        }
        return groups
    }
}
