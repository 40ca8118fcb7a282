import CommandLineTool
import FmsgCore

/// What the commands of several lines have in common, and tell whoever runs them.
package struct CommandSession: Sendable {
    /// What a command did that matters to the lines after it.
    package enum Effect: Sendable {
        /// It printed a list of these messages, in this order.
        case listed([Int64])
        case markedRead([Int64])
        /// By a client that can look after it.
        case sent(SentMessage, FmsgClient)
    }

    let clients: ClientPool
    let surroundings: LineSurroundings
    let note: @Sendable (Effect) -> Void

    /// - Parameters:
    ///   - clients: kept from line to line.
    ///   - note: called for each effect, in order.
    package init(
        clients: ClientPool, surroundings: LineSurroundings,
        note: @escaping @Sendable (Effect) -> Void
    ) {
        self.clients = clients
        self.surroundings = surroundings
        self.note = note
    }
}
