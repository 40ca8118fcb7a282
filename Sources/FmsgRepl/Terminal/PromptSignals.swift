// SPDX-License-Identifier: GPL-3.0-or-later

import CSystem
import CommandLineTool
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What signals mean to a prompt. At the prompt they are handed to it; while a command runs, the
/// first kinds reach the command and the process stays.
final class PromptSignals: Sendable {
    enum Event: Sendable, Equatable {
        case interrupt
        case suspend
        case resize
        case end(Signal)
    }

    /// Ends what is running.
    typealias Cancel = @Sendable () -> Void

    private struct State {
        var events: [Event] = []
        /// What an interrupt does while something runs; nil at the prompt.
        var interrupt: Cancel?
        /// What a signal that ends the prompt does meanwhile.
        var cancel: Cancel?
        var end: Signal?
    }

    /// Seconds that what is running may take to end, once the process was asked to.
    private static let patience = 5.0

    private let state = Mutex(State())
    private let caught: Pipe
    private let pipe: Pipe
    private let terminal: ByteOutput

    /// Takes the signals of this process, for as long as it lives.
    /// - Parameter terminal: where the terminal shows the key of an interrupt.
    /// - Throws: ``ProcessError`` when the process has no descriptors left.
    init(_ terminal: ByteOutput) throws(ProcessError) {
        guard let caught = Pipe(), let pipe = Pipe() else {
            throw ProcessError(program: "fmsg repl", reason: .last)
        }
        self.caught = caught
        self.pipe = pipe
        self.terminal = terminal
        OwnThread.start { [self] in deliver() }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]
        csystem_watch_signals(signals, signals.count, caught.writeEnd)
    }

    /// Becomes readable when there are events for the prompt.
    var descriptor: Int32 { pipe.readEnd }

    /// The events that have come.
    func take() -> [Event] {
        state.withLock { state in
            if !state.events.isEmpty { _ = try? readBytes(from: pipe.readEnd, atMost: 64) }
            defer { state.events = [] }
            return state.events
        }
    }

    /// The signal that asked the process to end, if one came.
    var end: Signal? { state.withLock { $0.end } }

    /// Runs `body` as what signals are for.
    /// - Parameter isForeign: whether it is another program, which has the terminal's signals by
    ///   itself.
    func running<Result: Sendable>(
        isForeign: Bool, _ body: @escaping @Sendable () async -> Result
    ) async -> Result {
        let task = Task { await body() }
        let cancel: Cancel = { task.cancel() }
        let interrupt: Cancel = { [terminal] in
            // The terminal has shown ^C.
            try? terminal.write("\n")
            task.cancel()
        }
        let nothing: Cancel = {}
        let isLate = state.withLock { state in
            state.interrupt = isForeign ? nothing : interrupt
            state.cancel = cancel
            return state.end != nil
        }
        if isLate { task.cancel() }
        let result = await task.value
        state.withLock { state in
            state.interrupt = nil
            state.cancel = nil
        }
        return result
    }

    /// Never returns: the pipe is kept open for the life of the process.
    private func deliver() {
        while let number = try? readBytes(from: caught.readEnd, atMost: 1).first {
            switch Int32(number) {
            case SIGINT: note(.interrupt)
            case SIGTSTP: note(.suspend)
            case SIGWINCH: note(.resize)
            case SIGTERM: noteEnd(.terminate)
            case SIGHUP: noteEnd(.hangUp)
            default: break
            }
        }
    }

    private func note(_ event: Event) {
        let act: Cancel? = state.withLock { state in
            guard let interrupt = state.interrupt else {
                state.events.append(event)
                pipe.signal(0)
                return nil
            }
            switch event {
            case .interrupt: return interrupt
            // A command stops with all that runs beside it.
            case .suspend: return { csystem_suspend() }
            default: return nil
            }
        }
        act?()
    }

    private func noteEnd(_ signal: Signal) {
        let cancel = state.withLock { state in
            state.end = state.end ?? signal
            state.events.append(.end(signal))
            pipe.signal(0)
            return state.cancel
        }
        cancel?()
        // Whatever hangs, no process is left behind.
        OwnThread.start {
            usleep(UInt32(Self.patience * 1e6))
            signal.exitCode.exit()
        }
    }
}
