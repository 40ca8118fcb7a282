// SPDX-License-Identifier: GPL-3.0-or-later

import CReadline
import CommandLineTool
import FmsgCommands

/// The prompt on a terminal: reads lines and runs them, until it is left.
struct InteractiveRepl {
    private let session: ReplSession
    private let store: ReplStore
    private let signals: PromptSignals
    private let prompt: Prompt
    private let stream: LiveStream
    private let history: TypedHistory
    private var reader: LineReader

    /// - Parameter context: that of the command `repl` itself.
    init(_ session: ReplSession, _ context: CommandContext) throws {
        self.session = session
        store = session.store
        signals = try PromptSignals(session.runtime.standardError)
        prompt = Prompt(session.runtime, store, signals)
        stream = LiveStream(context.joining(session.shared), store)
        history = TypedHistory(
            session.runtime, context, isKept: !context.invocation[ReplCommand.noHistory])
        reader = LineReader(home: session.runtime.environment["HOME"])
        session.installCompletion()
        store.update { $0.notices.ringsBell = context.invocation[ReplCommand.bell] }
    }

    mutating func run() async -> ExitCode {
        stream.follow()
        let exitCode = await readLines()
        // What comes next on the terminal begins a line.
        if reader.wait == .command, !store.read(\.isLeaving) {
            try? session.runtime.standardOutput.write("\n")
            try? session.runtime.standardOutput.flush()
        }
        stream.stop()
        history.save(say: say)
        return exitCode
    }

    private mutating func readLines() async -> ExitCode {
        while true {
            if let signal = signals.end { return signal.exitCode }
            if store.read(\.isLeaving) { return .done }
            let look: Prompt.Look = reader.wait == .command ? .whole : .continued
            let outcome = prompt.readLine(look) { [history, store, stream] in
                // Now that the prompt is there.
                stream.start()
                history.follow(store.read(\.identity)) { text in
                    store.update { $0.notices.add(.talk(text)) }
                }
            }
            switch outcome {
            case .line(let text): await take(text)
            case .editor(let text): await edit(text)
            case .notText:
                reader.reset()
                _ = session.report(
                    UsageError("what was typed is not valid UTF-8, and nothing was done"))
            case .interrupted: reader.reset()
            case .end where reader.wait != .command: reader.reset()
            case .end:
                return .done
            case .ended(let signal): return signal.exitCode
            }
        }
    }

    /// Takes what was entered: a line, or the lines of a paste.
    private mutating func take(_ text: String) async {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if reader.wait == .command { history.add(String(line)) }
            do {
                let statements = try reader.take(String(line))
                if case .text = reader.wait, statements.isEmpty { continue }
                try session.check(statements)
                guard await run(statements) else { return }
            } catch let error as LineError {
                _ = session.report(UsageError("\(error)"))
            } catch {
                _ = session.report(error)
            }
        }
    }

    /// Runs statements up to the first that fails.
    /// - Returns: whether none did.
    private func run(_ statements: [Statement]) async -> Bool {
        for statement in statements {
            let exitCode = await signals.running(isForeign: session.isForeign(statement)) {
                [session] in await session.run(statement)
            }
            stream.follow()
            guard exitCode == .done, signals.end == nil else { return false }
        }
        return true
    }

    private mutating func edit(_ text: String) async {
        let draft = EditedLine(session.runtime, isOpen: store.read { $0.open != nil })
        guard let edited = await signals.running(isForeign: true, { await draft.edit(text) })
        else { return }
        do {
            let statements = try edited.statements(home: session.runtime.environment["HOME"])
            try session.check(statements)
            guard await run(statements) else { return say("the text is in \(edited.path)") }
            edited.remove()
        } catch {
            _ = session.report((error as? LineError).map { UsageError("\($0)") } ?? error)
            say("the text is in \(edited.path)")
        }
    }

    private func say(_ text: String) {
        // What is only talk may get lost with its reader.
        try? session.runtime.standardError.writeLine("fmsg: \(DisplayText.escape(text))")
    }
}
