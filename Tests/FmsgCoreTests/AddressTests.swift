import FmsgCore
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        "@alice@example.com", "@a@b", "@José.müller-x_1@exämple.org", "@日本@例え.jp",
        "@٣@example.com", "@erin_bot@example.com", "@x@127.0.0.1",
    ])
    func anAddressIsAccepted(_ text: String) throws {
        #expect(try FmsgAddress(text).text == text)
    }

    @Test(arguments: [
        ("alice@example.com", FmsgAddressError.Rule.noLeadingAt), ("", .noLeadingAt),
        ("@alice", .noDomain), ("@alice@", .noDomain), ("@", .noDomain),
        ("@alice@b@c", .tooManyAts), ("@@example.com", .emptyUser),
        ("@al ice@example.com", .userCharacter(" ")), ("@al\u{0}@b", .userCharacter("\u{0}")),
        ("@a👍@b", .userCharacter("👍")), ("@a.-b@c", .adjacentMarks), ("@a__b@c", .adjacentMarks),
        ("@.a@c", .outerMark), ("@a-@c", .outerMark), ("@a@b..c", .emptyLabel),
        ("@a@b_c", .domainCharacter("_")), ("@a@b/c", .domainCharacter("/")),
        ("@a@-b", .outerHyphen), ("@a@b-.c", .outerHyphen),
        ("@\(String(repeating: "a", count: 250))@b.cc", .tooLong),
    ])
    func aBrokenRuleIsNamed(_ text: String, _ rule: FmsgAddressError.Rule) {
        let error = #expect(throws: FmsgAddressError.self) { try FmsgAddress(text) }
        #expect(error?.rule == rule)
        #expect(error?.reason.isEmpty == false)
    }

    @Test(arguments: [
        ("@Alice@Example.COM", "@alice@example.com"), ("@straße@x", "@STRASSE@x"),
        ("@ΣΑΣ@x", "@σας@x"), ("@ﬁn@x", "@FIN@x"), ("@\u{212A}elvin@x", "@kelvin@x"),
        ("@𐐀@x", "@𐐨@x"), ("@ᏸ@x", "@Ᏸ@x"), ("@Ǆ@x", "@ǆ@x"), ("@ǅ@x", "@ǆ@x"),
        ("@\u{1E9E}@x", "@ss@x"), ("@ŉ@x", "@ʼn@x"),
    ])
    func foldedAddressesAreEqual(_ left: String, _ right: String) {
        #expect(sameAddress(left, right))
    }

    @Test(arguments: [
        ("@i@x", "@ı@x"), ("@İ@x", "@i@x"), ("@é@x", "@e\u{301}@x"), ("@a@x", "@b@x"),
    ])
    func othersAreNot(_ left: String, _ right: String) { #expect(!sameAddress(left, right)) }

    @Test func theFirstSpellingIsKept() {
        #expect(uniqueAddresses(["@Bob@x", "@al@x", "@bob@X", "@AL@x"]) == ["@Bob@x", "@al@x"])
    }

    @Test func partsAreGiven() throws {
        let address = try FmsgAddress("@alice@example.com")
        #expect(address.user == "alice")
        #expect(address.domain == "example.com")
        #expect(Set([address, try FmsgAddress("@ALICE@example.com")]).count == 1)
    }
}
