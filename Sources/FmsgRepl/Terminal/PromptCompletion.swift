// SPDX-License-Identifier: GPL-3.0-or-later

import CReadline
import CommandLineTool
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ties readline's completion to values. readline calls C functions without a context, and is itself
/// there once in a process: so what answers it is, too.
enum PromptCompletion {
    typealias Answer = @Sendable (_ line: String, _ start: Int) -> LineCompletion.Answer?
    typealias Show = @Sendable ([CompletionCandidate]) -> Void

    private struct State {
        var answer: Answer = { _, _ in nil }
        var show: Show = { _ in }
        var candidates: [CompletionCandidate] = []
    }

    private static let state = Mutex(State())

    /// From now on `answer` completes, and `show` shows candidates to choose from.
    static func install(answer: @escaping Answer, show: @escaping Show) {
        state.withLock { $0 = State(answer: answer, show: show) }
        creadline_set_completer(complete, display)
    }

    private static let complete: creadline_completer = { line, cursor, start, isWhole in
        guard let line else { return nil }
        let bytes = UnsafeBufferPointer(start: line, count: cursor).map(UInt8.init(bitPattern:))
        let answer = state.withLock(\.answer)(String(decoding: bytes, as: UTF8.self), start)
        guard let answer else { return nil }
        state.withLock { $0.candidates = answer.candidates }
        isWhole?.pointee = answer.isWhole
        let words = [answer.insertion] + answer.words
        let list = calloc(words.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)?
            .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        for (index, word) in words.enumerated() { list?[index] = strdup(word) }
        return list
    }

    private static let display: creadline_displayer = {
        let (show, candidates) = state.withLock { ($0.show, $0.candidates) }
        show(candidates)
    }
}
