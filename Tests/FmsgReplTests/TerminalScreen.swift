import CommandLineTool

/// What a terminal shows for the bytes that it is sent: as much of one as readline and the programs
/// under it use. Its rows are all that were ever shown; when it is resized, lines that it had wrapped
/// are laid out anew, as terminals of today do.
struct TerminalScreen: Sendable {
    private struct Row {
        /// One a column; the second of a wide one is empty.
        var cells: [String] = []
        /// Whether the line goes on in the next row.
        var isWrapped = false
    }

    private(set) var columns: Int
    private var rows: [Row] = [Row()]
    private var row = 0
    private var column = 0
    /// Whether the next character begins a row, the last one having filled one.
    private var isWrapPending = false
    private var escape: [UInt8]?
    private var utf8: [UInt8] = []
    /// How often the bell rang.
    private(set) var bells = 0

    init(columns: Int) { self.columns = columns }

    /// The rows that are not empty at their end, without blanks at theirs.
    var lines: [String] {
        var lines = rows.map { row in
            var text = row.cells.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.count > 1, lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The line that the cursor stands in, its wrapped rows joined.
    var line: String {
        var first = row
        while first > 0, rows[first - 1].isWrapped { first -= 1 }
        var text = ""
        for index in first..<rows.count {
            text += rows[index].cells.joined()
            guard rows[index].isWrapped else { break }
        }
        return text
    }

    /// The row and the column of the cursor, from 0; the row counted from the first ever shown.
    var cursor: (row: Int, column: Int) { (row, column) }

    mutating func show(_ bytes: [UInt8]) {
        for byte in bytes { show(byte) }
    }

    mutating func resize(columns: Int) {
        var lines: [(cells: [String], cursor: Int?)] = [([], nil)]
        for (index, row) in rows.enumerated() {
            let count = lines.count - 1
            if index == self.row {
                lines[count].cursor = lines[count].cells.count + column + (isWrapPending ? 1 : 0)
            }
            lines[count].cells += row.cells
            if !row.isWrapped, index < rows.count - 1 { lines.append(([], nil)) }
        }
        self.columns = columns
        rows = []
        isWrapPending = false
        for line in lines { layOut(line.cells, cursor: line.cursor) }
    }

    private mutating func layOut(_ cells: [String], cursor: Int?) {
        rows.append(Row())
        for (index, cell) in cells.enumerated() {
            let isWide = index + 1 < cells.count && cells[index + 1].isEmpty
            if rows[rows.count - 1].cells.count + (isWide ? 2 : 1) > columns, !cell.isEmpty {
                rows[rows.count - 1].isWrapped = true
                rows.append(Row())
            }
            if index == cursor {
                (row, column) = (rows.count - 1, rows[rows.count - 1].cells.count)
            }
            rows[rows.count - 1].cells.append(cell)
        }
        guard let cursor, cursor >= cells.count else { return }
        row = rows.count - 1
        column = rows[row].cells.count + cursor - cells.count
        if column >= columns {
            rows[row].isWrapped = true
            rows.append(Row())
            (row, column) = (row + 1, 0)
        }
    }

    // MARK: Bytes

    private mutating func show(_ byte: UInt8) {
        if escape != nil { return take(escaped: byte) }
        switch byte {
        case 0x1B: escape = []
        case 0x07: bells += 1
        case 0x08:
            column = max(0, column - 1)
            isWrapPending = false
        case 0x0A: feed()
        case 0x0D:
            column = 0
            isWrapPending = false
        case ..<0x20: break
        default:
            utf8.append(byte)
            guard let text = text(of: utf8) else { return }
            utf8 = []
            for scalar in text.unicodeScalars { put(scalar) }
        }
    }

    private mutating func feed() {
        row += 1
        isWrapPending = false
        if row == rows.count { rows.append(Row()) }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = scalar.value == 0xFE0F ? 0 : DisplayText.width(String(scalar))
        guard width > 0 else {
            let last = max(0, column - (isWrapPending ? 0 : 1))
            if let index = rows[row].cells[...min(last, rows[row].cells.count - 1)].lastIndex(
                where: {
                    !$0.isEmpty
                })
            {
                rows[row].cells[index].unicodeScalars.append(scalar)
            }
            return
        }
        if isWrapPending || column + width > columns {
            rows[row].isWrapped = true
            feed()
            column = 0
        }
        pad(to: column + width)
        rows[row].cells[column] = String(scalar)
        if width == 2 { rows[row].cells[column + 1] = "" }
        column += width
        if column == columns {
            column -= 1
            isWrapPending = true
        }
    }

    private mutating func pad(to count: Int) {
        let missing = count - rows[row].cells.count
        if missing > 0 { rows[row].cells += Array(repeating: " ", count: missing) }
    }

    // MARK: Escape sequences

    private mutating func take(escaped byte: UInt8) {
        escape?.append(byte)
        guard let sequence = escape else { return }
        guard sequence.first == UInt8(ascii: "[") else {
            escape = nil
            return
        }
        guard sequence.count > 1, (0x40...0x7E).contains(byte) else { return }
        escape = nil
        let text = String(decoding: sequence.dropFirst().dropLast(), as: UTF8.self)
        perform(Character(Unicode.Scalar(byte)), Int(text))
    }

    private mutating func perform(_ command: Character, _ number: Int?) {
        let count = max(1, number ?? 1)
        if "ABCDHJKP@".contains(command) { isWrapPending = false }
        switch command {
        case "A": row = max(0, row - count)
        case "B": row = min(rows.count - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "K":
            rows[row].cells.removeLast(max(0, rows[row].cells.count - column))
            rows[row].isWrapped = false
        case "J":
            rows[row].cells.removeLast(max(0, rows[row].cells.count - column))
            rows[row].isWrapped = false
            rows.removeLast(rows.count - 1 - row)
        case "P":
            let end = min(rows[row].cells.count, column + count)
            if column < end { rows[row].cells.removeSubrange(column..<end) }
        case "@":
            pad(to: column)
            rows[row].cells.insert(
                contentsOf: Array(repeating: " ", count: count), at: column)
            rows[row].cells = Array(rows[row].cells.prefix(columns))
        default: break
        }
    }

    /// A character; a replacement for what can never be one, as terminals show it; nil for what is
    /// only begun.
    private func text(of bytes: [UInt8]) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let isBegun =
            (0xC2...0xF4).contains(bytes[0]) && bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
            && bytes.count < 4
        return isBegun ? nil : "\u{FFFD}"
    }
}
