import Testing

@testable import WebSocketFrames

@Suite struct WebSocketHandshakeTests {
    @Test func theExampleOfTheStandard() {
        // RFC 6455, section 1.3.
        #expect(
            WebSocketHandshake.accept(forKey: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func keysAreSixteenRandomBytes() {
        struct Counting: RandomNumberGenerator {
            var value: UInt64 = 0
            mutating func next() -> UInt64 {
                value += 1
                return value
            }
        }
        var counting = Counting()
        #expect(WebSocketHandshake.key(using: &counting) == "AQIDBAUGBwgJCgsMDQ4PEA==")
        var random = SystemRandomNumberGenerator()
        let keys = (0..<50).map { _ in WebSocketHandshake.key(using: &random) }
        #expect(Set(keys).count == 50)
        #expect(keys.allSatisfy(WebSocketHandshake.isKey))
    }

    @Test(arguments: [
        "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=a", "dGhlIHNhbXBsZSBub25jZ===",
        "dGhlIHNhbXBsZSBub25jZQ==x", "dGhlIHNhbXBsZSBub25j\r\n==", "AAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func otherThingsAreNoKeys(text: String) {
        #expect(!WebSocketHandshake.isKey(text))
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func base64(plain: String, coded: String) {
        // RFC 4648, section 10.
        #expect(WebSocketHandshake.base64(Array(plain.utf8)) == coded)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
        (String(repeating: "0", count: 55), "8fffd3df3d041baf53b27f42ec802cfb362710bd"),
        (String(repeating: "0", count: 64), "0114498021cb8c4f1519f96bdf58dd806f3adb63"),
    ])
    func sha1(message: String, digest: String) {
        let hex = SHA1.digest(of: Array(message.utf8)).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        #expect(hex.joined() == digest)
    }
}
