// SPDX-License-Identifier: GPL-3.0-or-later

import CReadline
import CommandLineTool
import FmsgCommands

/// The history that the keys walk: that of whoever one is by now. It belongs to the main thread, as
/// readline does.
final class TypedHistory {
    private let runtime: Runtime
    private let context: CommandContext
    private let isKept: Bool
    private var identity: String?
    private var file: HistoryFile?
    /// What was typed since it was last saved.
    private var typed = History()
    private var hasFailed = false

    /// - Parameter isKept: whether there is a file.
    init(_ runtime: Runtime, _ context: CommandContext, isKept: Bool) {
        self.runtime = runtime
        self.context = context
        self.isKept = isKept
    }

    /// Takes up the history of `identity`, once it is known or another.
    func follow(_ identity: String?, say: (String) -> Void) {
        guard let identity, identity != self.identity else { return }
        let isFirst = self.identity == nil
        if !isFirst { save(say: say) }
        self.identity = identity
        guard isKept, let host = try? context.resolver.account().host else { return }
        file = HistoryFile(runtime, host: host, address: identity)
        var all = History()
        do throws(FileError) {
            if let file { all = try file.load() }
        } catch {
            complain(error, say)
        }
        // What was typed before one was known is one's own.
        all.add(typed)
        creadline_clear_history()
        for line in all.lines { creadline_add_history(line) }
    }

    /// Keeps a line that was typed, if it may be.
    func add(_ line: String) {
        let isRepeated = typed.lines.last == line
        guard typed.add(line), !isRepeated else { return }
        creadline_add_history(line)
    }

    /// Writes what was typed.
    func save(say: (String) -> Void) {
        guard let file else { return }
        do throws(FileError) {
            try file.add(typed)
        } catch {
            complain(error, say)
        }
        typed = History()
    }

    private func complain(_ error: FileError, _ say: (String) -> Void) {
        guard !hasFailed else { return }
        hasFailed = true
        say("the history is not kept: \(error)")
    }
}
