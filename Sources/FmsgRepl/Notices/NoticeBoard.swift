// SPDX-License-Identifier: GPL-3.0-or-later

/// The notices that wait to be shown, and when they are to be: at once where it is quiet, and a
/// burst folded into one after a pause that grows while the burst goes on. It keeps a few notices
/// and counts the others, so that its size is bounded.
struct NoticeBoard: Sendable, Equatable {
    /// Which messages are announced.
    enum Mode: String, Sendable, CaseIterable {
        case on
        case off
        case mentions
    }

    /// Seconds between two showings: at first, and at most.
    static let pauses = 1.0...16.0
    /// How many are shown one by one.
    static let shownWhole = 3
    /// The most senders that a folded notice names.
    private static let named = 3

    /// Many messages as one notice.
    struct Folded: Sendable, Equatable {
        var count = 0
        var lowest = Int64.max
        var highest = Int64.min
        /// The first senders.
        var senders: [String] = []
        var hasMoreSenders = false
    }

    /// What is to be shown now.
    struct Batch: Sendable, Equatable {
        var whole: [Notice] = []
        var messages: Folded?
        /// How many quieter notices are not shown one by one.
        var others = 0
    }

    var mode = Mode.on
    var ringsBell = false

    private var whole: [Notice] = []
    private var messages = Folded()
    private var others = 0
    private var lastShown: Double?
    private var pause = NoticeBoard.pauses.lowerBound

    /// Adds a notice, unless the mode leaves it out.
    mutating func add(_ notice: Notice, isMention: Bool = false) {
        guard isWanted(notice, isMention) else { return }
        if case .message(let message) = notice {
            messages.count += 1
            messages.lowest = min(messages.lowest, message.id)
            messages.highest = max(messages.highest, message.id)
            if !messages.senders.contains(message.from) {
                if messages.senders.count < Self.named {
                    messages.senders.append(message.from)
                } else {
                    messages.hasMoreSenders = true
                }
            }
        } else {
            others += 1
        }
        if whole.count <= 2 * Self.shownWhole { whole.append(notice) }
    }

    private func isWanted(_ notice: Notice, _ isMention: Bool) -> Bool {
        switch (notice, mode) {
        case (.talk, _), (_, .on): true
        case (.message, .mentions): isMention
        case (.change, .mentions): true
        case (.reaction, .mentions), (_, .off): false
        }
    }

    /// Seconds until something is to be shown; nil when nothing waits.
    func wait(at now: Double) -> Double? {
        guard messages.count + others > 0 else { return nil }
        return lastShown.map { max(0, $0 + pause - now) } ?? 0
    }

    /// What is to be shown now; nil when nothing is.
    mutating func take(at now: Double) -> Batch? {
        guard let wait = wait(at: now), wait <= 0 else { return nil }
        var batch = Batch()
        let foldsMessages = messages.count > Self.shownWhole
        let foldsOthers = others > Self.shownWhole
        for notice in whole {
            if case .message = notice {
                if !foldsMessages { batch.whole.append(notice) }
            } else if !foldsOthers {
                batch.whole.append(notice)
            }
        }
        if foldsMessages { batch.messages = messages }
        if foldsOthers { batch.others = others }
        let isBurst = foldsMessages || foldsOthers
        pause = isBurst ? min(2 * pause, Self.pauses.upperBound) : Self.pauses.lowerBound
        lastShown = now
        whole = []
        messages = Folded()
        others = 0
        return batch
    }
}
