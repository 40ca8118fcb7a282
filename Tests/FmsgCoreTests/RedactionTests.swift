import FmsgCore
import TestSupport
import Testing

@Suite struct RedactionTests {
    private static let key = "fmsgk_cHa4MpfKdxhQ06PL_Zm9v+/YmFy=="
    private static let token = TestToken.jwt(#"{"sub":"@a@b"}"#)
    private static let privateKey = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=
        -----END OPENSSH PRIVATE KEY-----
        """

    @Test(arguments: [
        ("use \(key).", "use [redacted API key]."), ("k=\(key)", "k=[redacted API key]"),
        (#"{"key":"\#(key)"}"#, #"{"key":"[redacted API key]"}"#),
        ("\\n\(key)\\n", "\\n[redacted API key]\\n"),
        ("Bearer \(token)", "Bearer [redacted token]"), ("(\(token))", "([redacted token])"),
        ("a\n\(privateKey)\nz", "a\n[redacted private key]\nz"),
        ("x-----BEGIN RSA PRIVATE KEY-----\nMIIE", "x[redacted private key]"),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nx\n-----END PGP PRIVATE KEY BLOCK----- é",
            "[redacted private key] é"
        ),
    ])
    func aSecretIsReplaced(_ text: String, _ expected: String) {
        let redaction = Redaction(text)
        #expect(redaction.text == expected)
        #expect(redaction.count == 1 && redaction.isRedacted)
    }

    @Test(arguments: [
        "", "fmsgk_", "fmsgk_a", "fmsgk_a_", "fmsgk__a", "fmsgk_<key id>_<secret>", "eyJ",
        "eyJ.eyJ",
        "eyJhbGciOiJFZERTQSJ9", "eyJhbGci.x.y", "-----BEGIN PUBLIC KEY-----\nx", "-----BEGIN ",
        "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----", "-----", "é👍 plain\r\n",
    ])
    func whatIsNoneIsLeftAsItIs(_ text: String) {
        #expect(Redaction(text).text.utf8.elementsEqual(text.utf8))
        #expect(Redaction(text).count == 0)
    }

    @Test func eachOneCounts() {
        let text = [Self.key, Self.token, Self.privateKey, Self.key].joined(separator: "\n")
        #expect(Redaction(text).count == 4)
        let message = NewMessage(to: [], topic: "of \(Self.key)", text: "and \(Self.token)")
        let (redacted, count) = message.redacted()
        #expect(
            redacted.topic == "of [redacted API key]" && redacted.text == "and [redacted token]")
        #expect(count == 2)
    }

    @Test func aTokenAloneIsKnown() {
        #expect(Redaction.isToken(Self.token))
        #expect(!Redaction.isToken(Self.key) && !Redaction.isToken("\(Self.token) "))
        #expect(!Redaction.isToken("") && !Redaction.isToken("x\(Self.token)"))
    }

    /// Texts made to be slow for a search that begins again at each place.
    @Test(arguments: ["eyJ", "fmsgk_", "fmsgk__", "-----BEGIN ", "eyJ.", "-"])
    func aLongTextOfBeginningsEnds(_ beginning: String) {
        let text = String(repeating: beginning, count: 100_000)
        #expect(Redaction(text).text.utf8.count <= text.utf8.count * 2)
    }
}
