// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool

/// Candidates as lines of a terminal: a line each where something is said about them, columns else.
struct CandidateList {
    /// More are only counted.
    private static let limit = 100

    let columns: Int
    let style: Style

    func lines(_ candidates: [CompletionCandidate]) -> [String] {
        let shown = candidates.prefix(Self.limit).map { candidate in
            (
                word: DisplayText.escape(candidate.word),
                description: DisplayText.escape(candidate.description)
            )
        }
        let width = shown.map { DisplayText.width($0.word) }.max() ?? 0
        var lines: [String]
        if shown.contains(where: { !$0.description.isEmpty }) {
            lines = shown.map { entry in
                let word = DisplayText.cut(entry.word, width: columns)
                let room = columns - width - 2
                guard !entry.description.isEmpty, room > 0 else { return word }
                return DisplayText.pad(word, width: width) + "  "
                    + style.apply(.dim, to: DisplayText.cut(entry.description, width: room))
            }
        } else {
            lines = Self.rows(shown.map(\.word), width: width + 2, columns: columns)
        }
        let rest = candidates.count - shown.count
        if rest > 0 { lines.append(style.apply(.dim, to: "and \(rest) more")) }
        return lines
    }

    private static func rows(_ words: [String], width: Int, columns: Int) -> [String] {
        let perRow = max(1, columns / width)
        return stride(from: 0, to: words.count, by: perRow).map { start in
            let row = words[start..<min(start + perRow, words.count)]
            return row.dropLast().map { DisplayText.pad($0, width: width) }.joined()
                + DisplayText.cut(row.last ?? "", width: columns)
        }
    }
}
