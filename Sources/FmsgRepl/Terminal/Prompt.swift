// SPDX-License-Identifier: GPL-3.0-or-later

import CReadline
import CSystem
import CommandLineTool

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads lines by readline, and shows notices above the line meanwhile. It belongs to the main
/// thread, as readline does; what is shown is decided by ``ReplState`` and the values it holds.
final class Prompt {
    enum Outcome: Equatable {
        case line(String)
        /// What there is of a line is to be edited.
        case editor(String)
        /// What was entered is not UTF-8.
        case notText
        case interrupted
        case end
        case ended(Signal)
    }

    /// What the prompt looks like.
    enum Look: Equatable {
        case whole
        /// A line that goes on.
        case continued
    }

    /// Seconds between two redrawings of the prompt.
    private static let redrawPause = 0.1
    /// The most bytes that are read before anything else is looked at.
    private static let burst = 1 << 16

    private let runtime: Runtime
    private let store: ReplStore
    private let signals: PromptSignals
    private let style: Style
    private var look = Look.whole
    private var shown = ""
    /// The width that what is shown was made for.
    private var columns = 80
    private var lastDrawn = 0.0

    init(_ runtime: Runtime, _ store: ReplStore, _ signals: PromptSignals) {
        self.runtime = runtime
        self.store = store
        self.signals = signals
        style = Style.decide(.auto, runtime.environment, isTerminal: true)
        "fmsg".withCString { name in
            // readline keeps the pointer.
            creadline_start(strdup(name))
        }
    }

    /// Reads one line.
    /// - Parameters:
    ///   - before: called each time before it waits; what must not wait for the line's end.
    func readLine(_ look: Look, before: () -> Void) -> Outcome {
        self.look = look
        columns = runtime.terminal.columns
        shown = prompt
        lastDrawn = runtime.time.uptime
        creadline_begin(shown, "")
        defer { creadline_end() }
        while true {
            before()
            if store.read(\.isLeaving) { return .end }
            update()
            switch wait() {
            case .signals:
                if let outcome = handleSignals() { return outcome }
            case .typing:
                if let outcome = readTyped() { return outcome }
            case .changed: store.acknowledge()
            case .hungUp: return .ended(.hangUp)
            case .nothing: break
            }
        }
    }

    // MARK: Waiting

    private enum Wake {
        case signals
        case typing
        case changed
        case hungUp
        case nothing
    }

    private func wait() -> Wake {
        let input = StandardStream.input.rawValue
        var waits = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, nfds_t(waits.count), timeout) > 0 else { return .nothing }
        if waits[0].revents != 0 { return .signals }
        // What was typed before the window was closed was meant for whoever could see it.
        if waits[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return .hungUp }
        if waits[1].revents != 0 { return .typing }
        return .changed
    }

    /// Milliseconds until something is to be shown; -1 for ever.
    private var timeout: Int32 {
        let now = runtime.time.uptime
        guard !creadline_is_busy() else { return 200 }
        let notices = store.read { $0.notices.wait(at: now) }
        let redraw = prompt == shown ? nil : max(0, lastDrawn + Self.redrawPause - now)
        guard let wait = [notices, redraw].compactMap({ $0 }).min() else { return -1 }
        return Int32((wait * 1000).rounded(.up))
    }

    private func readTyped() -> Outcome? {
        var rest = Self.burst
        repeat {
            switch creadline_read() {
            case creadline_entered: return takeLine().map(Outcome.line) ?? .notText
            case creadline_editor_wanted: return takeLine().map(Outcome.editor) ?? .notText
            case creadline_ended: return .end
            default: break
            }
            rest -= 1
        } while rest > 0 && csystem_bytes_waiting(StandardStream.input.rawValue) > 0
        return nil
    }

    /// Nil where it is not UTF-8: nothing is sent that nobody typed.
    private func takeLine() -> String? {
        guard let line = creadline_line() else { return "" }
        defer { free(line) }
        return String(validatingCString: line)
    }

    private func handleSignals() -> Outcome? {
        for event in signals.take() {
            switch event {
            case .interrupt:
                creadline_forget()
                return .interrupted
            case .suspend: suspend()
            case .resize: resize()
            case .end(let signal): return .ended(signal)
            }
        }
        return nil
    }

    // MARK: Showing

    private var prompt: String {
        switch look {
        case .continued: "> "
        case .whole:
            store.read { PromptText($0) }.marked(columns: columns, style)
        }
    }

    /// Shows what is due, and the prompt as it is to be now. A search is left alone.
    private func update() {
        let now = runtime.time.uptime
        guard !creadline_is_busy() else { return }
        let batch =
            store.read { $0.notices.wait(at: now) == 0 }
            ? store.update { $0.notices.take(at: now) } : nil
        let prompt = prompt
        guard batch != nil || (prompt != shown && now >= lastDrawn + Self.redrawPause) else {
            return
        }
        creadline_clear()
        if let batch { write(batch) }
        draw(prompt, now)
    }

    private func write(_ batch: NoticeBoard.Batch) {
        let lines = NoticeText(columns: columns, style: style).lines(batch)
        let bell = store.read(\.notices.ringsBell) ? "\u{7}" : ""
        // A terminal that is gone is told of by its input.
        try? runtime.standardOutput.write(bell + lines.map { $0 + "\n" }.joined())
        try? runtime.standardOutput.flush()
    }

    private func draw(_ prompt: String, _ now: Double) {
        creadline_show(prompt)
        shown = prompt
        lastDrawn = now
    }

    /// Terminals lay out anew what was on them when their width changes, and readline knows only
    /// the rows that were: so all of the line is cleared by the rows that it has now.
    private func resize() {
        columns = runtime.terminal.columns
        guard !creadline_is_busy() else { return creadline_take_size() }
        if runtime.environment["TERM"] ?? "dumb" == "dumb" {
            try? runtime.standardOutput.write("\n")
        } else {
            var cursor = 0
            let typed = creadline_typed(&cursor).map { String(cString: $0) } ?? ""
            let before = String(decoding: typed.utf8.prefix(cursor), as: UTF8.self)
            try? runtime.standardOutput.write(
                LineLayout.clearing(
                    prompt: Self.visible(shown), before: before, line: typed, columns: columns))
        }
        try? runtime.standardOutput.flush()
        creadline_take_size()
        draw(prompt, runtime.time.uptime)
    }

    /// The prompt without what takes no room.
    private static func visible(_ prompt: String) -> String {
        var isHidden = false
        return String(
            prompt.filter { character in
                if character == "\u{1}" { isHidden = true }
                defer { if character == "\u{2}" { isHidden = false } }
                return !isHidden && character != "\u{2}"
            })
    }

    private func suspend() {
        creadline_clear()
        creadline_release_terminal()
        csystem_suspend()
        creadline_retake_terminal()
        columns = runtime.terminal.columns
        creadline_take_size()
        draw(prompt, runtime.time.uptime)
    }
}
