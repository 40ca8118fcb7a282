import FmsgCore
import Testing

@Suite struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2026-11-30T02:26:55.5Z", 1_796_005_615.5),
        ("2026-11-30t03:26:55+01:00", 1_796_005_615), ("2000-02-29 00:00:00Z", 951_782_400),
    ])
    func aMomentIsRead(_ text: String, _ seconds: Double) {
        #expect(RFC3339.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T02:26Z", "2026-11-30T02:26:55", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T00:00:5e1Z",
        "2026-11-30T00:00:00Zz", "2026-11-30T00:00:00+1:00", "２026-11-30T00:00:00Z",
    ])
    func othersAreNoMoment(_ text: String) { #expect(RFC3339.seconds(text) == nil) }
}
