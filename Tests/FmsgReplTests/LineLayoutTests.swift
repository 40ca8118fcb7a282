import Testing

@testable import FmsgRepl

struct LineLayoutTests {
    @Test(arguments: [
        ("", 10, 0), ("123456789", 10, 0), ("1234567890", 10, 1), ("12345678901", 10, 1),
        ("寿司寿司寿", 10, 1), ("1寿司寿司寿", 10, 1), ("1寿司寿司", 10, 0), ("a\nb", 10, 1),
        ("123456789\u{1}", 10, 1), ("👨‍👩‍👧e\u{301}", 10, 0), ("x", 0, 0),
    ])
    func rowsAreThoseOfATerminal(text: String, columns: Int, rows: Int) {
        #expect(LineLayout.rows(of: text, columns: columns) == rows)
    }

    @Test func allRowsOfALineAreCleared() {
        #expect(
            LineLayout.clearing(prompt: "> ", before: "", line: "12345678901", columns: 5)
                == "\r\u{1B}[2B\u{1B}[K\u{1B}[A\u{1B}[K\u{1B}[A\u{1B}[K")
        #expect(
            LineLayout.clearing(prompt: "> ", before: "1", line: "1", columns: 5) == "\r\u{1B}[K")
    }
}
