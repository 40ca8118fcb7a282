// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool

/// Where the parts of a prompt and a line stand in a window, as terminals lay text out anew when
/// they are resized.
enum LineLayout {
    /// What clears prompt and line off a terminal that has laid them out anew, and leaves the
    /// cursor where they began. Row by row: some keep a screen that is cleared whole.
    /// - Parameter before: the part of the line before the cursor.
    static func clearing(prompt: String, before: String, line: String, columns: Int) -> String {
        let above = rows(of: prompt + before, columns: columns)
        let all = rows(of: prompt + line, columns: columns)
        let down = all > above ? "\u{1B}[\(all - above)B" : ""
        return "\r\(down)" + String(repeating: "\u{1B}[K\u{1B}[A", count: all) + "\u{1B}[K"
    }

    /// How many rows below the prompt's first row the end of `text` is: prompt and what was typed
    /// before the cursor.
    static func rows(of text: String, columns: Int) -> Int {
        guard columns > 0 else { return 0 }
        var row = 0
        var column = 0
        for character in text {
            if character.isNewline {
                row += 1
                column = 0
                continue
            }
            // readline shows what is no letter as two.
            let isControl = character.unicodeScalars.allSatisfy { $0.value < 0x20 }
            let width = isControl ? 2 : DisplayText.width(String(character))
            // What is too wide for the end of a row begins the next one.
            if column + width > columns {
                row += 1
                column = 0
            }
            column += width
        }
        // At the very end of a row the cursor stands on the next.
        return column == columns ? row + 1 : row
    }
}
