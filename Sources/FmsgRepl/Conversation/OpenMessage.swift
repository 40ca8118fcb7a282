// SPDX-License-Identifier: GPL-3.0-or-later

import FmsgCore

/// The message that is open, and what is known of its thread.
struct OpenMessage: Sendable {
    private(set) var message: FmsgMessage
    /// The topic of its thread.
    let topic: String
    /// Its thread, once it was needed; nil again when it has grown.
    private(set) var tree: ThreadTree?
    /// The ids from the root down along which the conversation goes on: what `next` follows.
    private(set) var line: [Int64]

    init(_ message: FmsgMessage, topic: String, tree: ThreadTree? = nil, line: [Int64] = []) {
        self.message = message
        self.topic = topic
        self.tree = tree
        self.line = line.contains(message.id) ? line : tree?.path(to: message.id) ?? []
    }

    /// Takes in the thread.
    mutating func set(_ tree: ThreadTree) {
        self.tree = tree
        if !line.contains(message.id) || tree[line.last ?? 0] == nil {
            line = tree.path(to: message.id)
        }
    }

    /// Notes that a message has got a reply: if it is of this thread, the thread is to be read
    /// again.
    mutating func noteReply(to parent: Int64?) {
        guard let parent, tree?[parent] != nil else { return }
        tree = nil
    }

    /// Takes in the open message as it stands now.
    mutating func replace(_ message: FmsgMessage) {
        if message.id == self.message.id { self.message = message }
    }

    /// Where a step leads.
    enum Step: Sendable, Equatable {
        case to(Int64)
        /// There is no further message that way.
        case end
        /// There are only so many replies.
        case replies(Int)
    }

    /// The next message of the conversation: along the line, else the first reply.
    /// - Parameter branch: which of the replies, from 1.
    static func next(
        after id: Int64, in tree: ThreadTree, along line: [Int64], branch: Int? = nil
    ) -> Step {
        let replies = tree.replies(to: id)
        if let branch {
            return replies.indices.contains(branch - 1)
                ? .to(replies[branch - 1]) : .replies(replies.count)
        }
        let onLine = line.firstIndex(of: id).flatMap { index in
            line.indices.contains(index + 1) ? line[index + 1] : nil
        }
        if let onLine, replies.contains(onLine) { return .to(onLine) }
        return replies.first.map(Step.to) ?? .end
    }

    static func previous(before id: Int64, in tree: ThreadTree) -> Step {
        tree.parent(of: id).map(Step.to) ?? .end
    }

    static func up(from id: Int64, in tree: ThreadTree) -> Step {
        let fork = tree.fork(above: id)
        return fork == id ? .end : .to(fork)
    }
}
