import Synchronization
import Testing

@testable import CommandLineTool

/// Bytes in words, and how far a transfer is.
struct ProgressTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1234, "1.2 kB"),
        (1250, "1.3 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"), (2_000_000_000, "2.0 GB"),
        (Int64.max, "9.2 EB"),
    ])
    func aNumberOfBytesReadsWell(count: Int64, text: String) {
        #expect(ByteCount.text(count) == text)
    }

    @Test(
        arguments: [
            ("0", 0), ("10485760", 10_485_760), ("10k", 10_000), ("10KB", 10_000),
            ("2G", 2_000_000_000),
            ("3gb", 3_000_000_000), ("7B", 7), ("9E", 9_000_000_000_000_000_000), ("10E", nil),
            ("", nil), ("k", nil), ("1.5M", nil), ("-1", nil), ("1 M", nil), ("1KiB", nil),
            ("٣", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func aNumberOfBytesIsRead(text: String, count: Int64?) {
        #expect(ByteCount.parse(text) == count)
    }

    @Test func theLineFitsTheTerminal() {
        let bar = ProgressBar(
            name: "a\u{1B}long name.tar.gz", done: 450_000_000, total: 1_000_000_000,
            rate: 35_000_000)
        for columns in 20...200 {
            let line = bar.line(columns: columns)
            #expect(DisplayText.width(line) < columns)
            #expect(!line.contains("\u{1B}"))
        }
        #expect(
            bar.line(columns: 100)
                == #"a\x1blong name.tar.gz   45%  [###########               ]  450.0 MB of 1.0 GB, 35.0 MB/s, 0:16 left"#
        )
        let strange = ProgressBar(name: "x", done: 5, total: 0, rate: .infinity)
        #expect(strange.line(columns: 80).contains("100%"))
    }

    @Test func nothingIsShownOfShortWork() {
        let clock = Mutex(0.0)
        var time = TimeSource.standing(at: 0)
        time = TimeSource(
            now: { 0 }, uptime: { clock.withLock { $0 } },
            sleep: { _ async throws(CancellationError) in }, localTime: { _ in nil })
        let output = ByteOutput.memory()
        let terminal = TerminalFacts(terminals: [.error], columns: { 80 })
        let meter = ProgressMeter("x", total: 100, on: output, terminal, time)
        meter.reach(50)
        meter.end()
        #expect(output.contents.isEmpty)
        clock.withLock { $0 = 1 }
        meter.reach(60)
        // Not at each piece.
        meter.reach(61)
        #expect(output.contents.components(of: "\r") == 1)
        #expect(output.contents.contains("60 bytes of 100 bytes, 60 bytes/s"))
        meter.end()
        #expect(output.contents.hasSuffix("\r\u{1B}[K"))
    }
}

extension String {
    fileprivate func components(of character: Character) -> Int { count { $0 == character } }
}
