// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCore

/// Looks after what was sent, since no event tells of a recipient that it will not reach (web API,
/// section 5): soon, and again for as long as a recipient is pending.
struct DeliveryWatch: Sendable {
    /// Seconds before each look.
    private static let pauses = [0.2, 2, 10, 60]

    let store: ReplStore
    let time: TimeSource

    /// Looks after a message of one's own, beside everything else, and tells what failed.
    func follow(_ id: Int64, with client: FmsgClient) {
        Task {
            for pause in Self.pauses {
                guard (try? await time.sleep(pause)) != nil, !store.read(\.isLeaving),
                    let message = try? await client.message(.id(id))
                else { return }
                store.update { state in
                    state.recent.add(received: [], sent: [message], me: state.identity)
                    state.noteFailures(of: message)
                }
                let states = (message.delivery + message.addTo.flatMap(\.delivery)).map(\.state)
                guard states.contains(.pending) else { return }
            }
        }
    }
}
