import FmsgCore
import Testing

@Suite struct CIDRTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "255.255.255.255", true),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.200", true),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("0.0.0.0/0", "::1", false), ("::/0", "127.0.0.1", false), ("::/0", "fe80::1", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ("127.0.0.0/8", "::ffff:127.0.0.1", true), ("::1/128", "0:0:0:0:0:0:0:1", true),
    ])
    func ablockHoldsItsAddresses(_ block: String, _ address: String, _ isInside: Bool) throws {
        let cidr = try #require(CIDR(block))
        #expect(cidr.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0/8",
        "10.0.0.256/8", "010.0.0.0/8", "10.0.0.0.0/8", "::/129", ":::/8", "1::2::3/8", "12345::/8",
        "1:2:3:4:5:6:7/8", "1:2:3:4:5:6:7:8:9/8", "1:2:3:4:5:6:7::8/8", "1.2.3.4::/8",
        "fe80::1%1/8",
        "localhost/8", "１0.0.0.0/8", " 10.0.0.0/8", "10.0.0.0/8 ",
    ])
    func othersAreNone(_ text: String) { #expect(CIDR(text) == nil) }

    @Test func aSingleAddressGetsItsLength() {
        #expect(CIDR("192.0.2.1")?.text == "192.0.2.1/32")
        #expect(CIDR("::1")?.text == "::1/128")
    }
}
