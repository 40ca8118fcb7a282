// SPDX-License-Identifier: GPL-3.0-or-later

import FmsgCommands
import FmsgCore

/// All that a prompt knows, as a value: what happens goes in, and what is shown follows from it.
struct ReplState: Sendable {
    enum Connection: Sendable, Equatable {
        /// There is nobody to connect as.
        case none
        case connecting
        case connected
        case offline
        /// The host tells of nothing that arrives.
        case silent
    }

    /// The acting address, once it is known.
    var identity: String?
    var connection = Connection.none
    var unread = UnreadMessages()
    /// The message that is open, with its thread.
    var open: OpenMessage?
    /// The messages of the last listing, in the order of its lines.
    var listed: [Int64] = []
    var notices = NoticeBoard()
    /// What completion proposes.
    var recent = RecentMessages()
    /// Set when the prompt is to be left.
    var isLeaving = false
    /// Whether what was there before the stream began has been counted.
    private var isCaughtUp = false
    private var failedDeliveries: Set<String> = []

    /// The most failed deliveries that are remembered as told.
    private static let toldLimit = 1000

    /// Begins anew as somebody else, or as nobody.
    mutating func become(_ address: String?, _ connection: Connection) {
        var next = ReplState()
        next.identity = address
        next.connection = connection
        next.notices = notices
        next.isLeaving = isLeaving
        self = next
    }

    /// Takes in what the event stream tells.
    mutating func handle(_ event: FmsgEvent) {
        switch event {
        case .connected:
            if connection == .offline { notices.add(.talk("connected")) }
            connection = .connected
            isCaughtUp = true
        case .disconnected(let reason, let seconds):
            if connection != .offline {
                let pause = Int(seconds.rounded(.up))
                notices.add(.talk("offline: \(reason); trying again in \(pause) s"))
            }
            connection = .offline
        case .newMessage(let message): handle(arrival: message)
        case .updated(let update, let message): handle(update, of: message)
        case .ignored(let reason): notices.add(.talk(reason))
        }
    }

    private mutating func handle(arrival message: FmsgMessage) {
        guard !message.isReaction else { return }
        recent.add(received: [message], me: identity)
        open?.noteReply(to: message.pid)
        guard !message.isFrom(identity ?? "") else { return }
        if !message.isRead { unread.insert(message.id) }
        guard isCaughtUp else { return }
        let topic = recent.message(.id(message.id))?.topic
        notices.add(
            .message(MessageNotice(message, topic: topic ?? message.topic)),
            isMention: isMention(message))
    }

    private mutating func handle(_ update: EventFrame.Update, of message: FmsgMessage) {
        switch update {
        case .reactions:
            open?.replace(message)
            guard !message.reactions.isEmpty else { return }
            notices.add(.reaction(ReactionNotice(message)))
        case .recipients:
            guard let batch = message.addTo.last, !sameAddress(batch.from, identity ?? "") else {
                return
            }
            let added = batch.to.joined(separator: ", ")
            notices.add(.change(message.id, "\(batch.from) added \(added)"))
        case .delivery: noteFailures(of: message)
        }
    }

    /// Tells each recipient once whom a message of one's own will not reach.
    mutating func noteFailures(of message: FmsgMessage) {
        for delivery in message.delivery + message.addTo.flatMap(\.delivery) {
            guard case .failed(let code) = delivery.state else { continue }
            let key = "\(message.id) \(delivery.address)"
            guard failedDeliveries.count < Self.toldLimit, failedDeliveries.insert(key).inserted
            else { continue }
            notices.add(
                .change(message.id, "not delivered to \(delivery.address): \(code.meaning)"))
        }
    }

    /// Whether a message names the acting address, by all or by the part before the domain.
    private func isMention(_ message: FmsgMessage) -> Bool {
        guard let identity, let address = try? FmsgAddress(identity) else { return false }
        let text = "\(message.topic) \(message.wholeText ?? message.shortText ?? "")".lowercased()
        let name = "@\(address.user)".lowercased()
        return text.split { $0.isWhitespace || ",;:!?()\"'".contains($0) }.contains { word in
            word == name || word.hasPrefix("\(name)@") || word == "\(name)."
        }
    }
}
