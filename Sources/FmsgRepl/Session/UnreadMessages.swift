// SPDX-License-Identifier: GPL-3.0-or-later

import FmsgCore

/// Which messages are unread, in little room however many there are.
struct UnreadMessages: Sendable, Equatable {
    private var ids = SeenMessages()
    private(set) var count = 0

    mutating func insert(_ id: Int64) {
        if ids.insert(id) { count += 1 }
    }

    mutating func remove(_ id: Int64) {
        guard ids.contains(id) else { return }
        ids.remove(id)
        count -= 1
    }
}
