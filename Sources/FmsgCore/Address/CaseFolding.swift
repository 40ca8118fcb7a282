/// Unicode default case folding, full (statuses C and F), independent of any locale.
enum CaseFolding {
    /// The UTF-8 of `text` with every code point folded. No normalization is applied.
    static func fold(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
                folded.append(isUpper ? byte | 0x20 : byte)
            } else {
                append(Int32(scalar.value), to: &folded)
            }
        }
        return folded
    }

    private static func append(_ code: Int32, to folded: inout [UInt8]) {
        if let row = row(in: CaseFoldingTable.expansions, at: code),
            CaseFoldingTable.expansions[row] == code
        {
            for column in 1...3 where CaseFoldingTable.expansions[row + column] != 0 {
                encode(CaseFoldingTable.expansions[row + column], to: &folded)
            }
            return
        }
        let runs = CaseFoldingTable.runs
        if let row = row(in: runs, at: code), code <= runs[row + 1],
            (code - runs[row]) % runs[row + 2] == 0
        {
            encode(code + runs[row + 3], to: &folded)
        } else {
            encode(code, to: &folded)
        }
    }

    /// The offset of the last row of four whose first column is not above `code`.
    private static func row(in table: [Int32], at code: Int32) -> Int? {
        var low = 0
        var high = table.count / 4
        while low < high {
            let middle = (low + high) / 2
            if table[middle * 4] <= code { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : (low - 1) * 4
    }

    private static func encode(_ code: Int32, to folded: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(UInt32(code)) else { return }
        if let bytes = UTF8.encode(scalar) { folded.append(contentsOf: bytes) }
    }
}
