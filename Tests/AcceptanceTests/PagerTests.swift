import TestSupport
import Testing

/// The built `fmsg` on a terminal that `script` makes.
@Suite struct PagerTests {
    /// A text far longer than a pipe holds, of which the pager reads one line.
    @Test func whoLeavesThePagerEarlyIsNoFailure() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await Shell(host, as: "alice").run(
            """
            i=0; while [ $i -lt 20000 ]; do echo "line $i of a long text"; i=$((i+1)); done >text
            fmsg send @alice@example.com -F text >/dev/null || exit 9
            PAGER='sed /line.0/q' script -qec 'fmsg show 1 --pager; echo code $?' /dev/null
            """)
        let lines = run.out.split(whereSeparator: \.isNewline)
        #expect(run.status == 0 && lines.last == "code 0", "\(run.out.suffix(200))")
        #expect(lines.contains { $0.hasSuffix("line 0 of a long text") })
        #expect(!run.out.contains("line 1 "))
    }

    /// What is typed in the pager to interrupt it is no end of the program that waits for it.
    @Test func anInterruptionOfThePagerIsNone() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await Shell(host, as: "alice").run(
            """
            fmsg send @alice@example.com hello >/dev/null || exit 9
            PAGER='cat; kill -INT $PPID; echo still here' \\
                script -qec 'fmsg inbox --pager; echo code $?' /dev/null
            """)
        let lines = run.out.split(whereSeparator: \.isNewline)
        #expect(lines.first?.contains("hello") == true, "\(run.out)")
        #expect(lines.suffix(2) == ["still here", "code 0"], "\(run.out)")
    }
}
