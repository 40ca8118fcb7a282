import CommandLineTool

/// Rows of cells as text: aligned on a terminal and cut to its width, tab-separated records in a
/// pipe.
struct Table: Sendable {
    let output: Output

    /// - Parameter rows: cells that are not escaped yet, as many in each row.
    func write(_ rows: [[String]]) throws(OutputError) {
        guard let width = output.width else {
            for row in rows { try output.record(row) }
            return
        }
        let cells = rows.map { $0.map { DisplayText.escape($0) } }
        let columns = cells.first?.indices ?? 0..<0
        let widths = columns.map { column in
            cells.map { DisplayText.width($0[column]) }.max() ?? 0
        }
        // A column that is empty throughout takes no room.
        let shown = columns.filter { widths[$0] > 0 }
        for row in cells {
            let padded = shown.map { DisplayText.pad(row[$0], width: widths[$0]) }
            var line = DisplayText.cut(padded.joined(separator: "  "), width: width)
            while line.hasSuffix(" ") { line.removeLast() }
            // What a row is known by stands out, where it was not cut.
            let name = shown.first.map { row[$0] } ?? ""
            if line.hasPrefix(name) {
                line = output.style.apply(.bold, to: name) + line.dropFirst(name.count)
            }
            try output.line(line)
        }
    }
}
