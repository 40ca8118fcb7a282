import Testing

@testable import CommandLineTool

struct NearestNamesTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("inbox", "inbox", 0), ("inbx", "inbox", 1),
        ("ibnox", "inbox", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("é", "e", 1),
    ]

    @Test(arguments: distances)
    func distance(_ left: String, _ right: String, _ steps: Int) {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        #expect(NearestNames.distance(left, right) == steps)
        #expect(NearestNames.distance(right, left) == steps)
    }

    @Test func onlyNearOnesAreOfferedNearestFirst() {
        let names = ["send", "sent", "show", "reply", "reply-all"]
        #expect(NearestNames.of("sned", among: names) == ["send"])
        #expect(NearestNames.of("senx", among: names) == ["send", "sent"])
        #expect(NearestNames.of("SEND", among: names) == ["send", "sent"])
        #expect(NearestNames.of("rep", among: names) == ["reply", "reply-all"])
        #expect(NearestNames.of("zzzz", among: names).isEmpty)
        #expect(NearestNames.of("", among: names).isEmpty)
        #expect(NearestNames.of(String(repeating: "s", count: 5000), among: names).isEmpty)
    }
}
