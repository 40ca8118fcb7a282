// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import Synchronization

/// The state of a prompt, for whoever changes it, and a pipe that tells the prompt of a change.
final class ReplStore: Sendable {
    private struct Shared {
        var state = ReplState()
        var isWoken = false
    }

    private let shared = Mutex(Shared())
    private let pipe: Pipe

    /// - Throws: ``ProcessError`` when the process has no descriptors left.
    init() throws(ProcessError) {
        guard let pipe = Pipe() else { throw ProcessError(program: "fmsg repl", reason: .last) }
        self.pipe = pipe
    }

    /// Becomes readable when something has changed.
    var descriptor: Int32 { pipe.readEnd }

    var state: ReplState { shared.withLock { $0.state } }

    /// Changes the state, and wakes the prompt.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout ReplState) -> Result) -> Result {
        let (result, isFirst) = shared.withLock { shared in
            let result = change(&shared.state)
            defer { shared.isWoken = true }
            return (result, !shared.isWoken)
        }
        // One byte is enough until it is taken.
        if isFirst { pipe.signal(0) }
        return result
    }

    /// Reads a part of the state, without a copy of all of it.
    func read<Result: Sendable>(_ part: (ReplState) -> Result) -> Result {
        shared.withLock { part($0.state) }
    }

    /// Takes the notice of change, when ``descriptor`` is readable. The state is to be looked at
    /// after this.
    func acknowledge() {
        // In this order: a byte that comes later is never taken unseen.
        _ = try? readBytes(from: pipe.readEnd, atMost: 16)
        shared.withLock { $0.isWoken = false }
    }
}
