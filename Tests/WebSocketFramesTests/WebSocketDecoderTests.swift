import Testing

@testable import WebSocketFrames

@Suite struct WebSocketDecoderTests {
    /// Every kind of frame and length form, fragments with control frames in between.
    static let inputsOfStream: [WebSocketInput] = [
        .text(Array("héllo 👍".utf8)), .ping([1, 2]), .text(Array("€uro".utf8)), .pong([]),
        .binary([]), .binary([UInt8](repeating: 0xFF, count: 126)),
        .binary((0..<300).map { UInt8($0 % 251) }), .close(code: .goingAway, reason: "füße"),
    ]

    static func stream(mask: [UInt8]?) -> [UInt8] {
        [
            rawFrame(0x81, Array("héllo 👍".utf8), mask: mask),
            // "€" is cut within its bytes.
            rawFrame(0x01, [0xE2], mask: mask), rawFrame(0x89, [1, 2], mask: mask),
            rawFrame(0x00, [], mask: mask), rawFrame(0x80, [0x82, 0xAC] + "uro".utf8, mask: mask),
            rawFrame(0x8A, [], mask: mask), rawFrame(0x82, [], mask: mask),
            rawFrame(0x82, [UInt8](repeating: 0xFF, count: 126), mask: mask),
            rawFrame(0x02, (0..<200).map { UInt8($0 % 251) }, mask: mask),
            rawFrame(0x80, (200..<300).map { UInt8($0 % 251) }, mask: mask),
            rawFrame(0x88, [0x03, 0xE9] + "füße".utf8, mask: mask),
        ].flatMap { $0 }
    }

    @Test(arguments: [WebSocketRole.client, .server])
    func everyCutOfAStreamGivesTheSame(role: WebSocketRole) throws {
        let stream = Self.stream(mask: role == .server ? [0xA1, 0x02, 0xF3, 0x44] : nil)
        #expect(try inputs(stream, role: role) == Self.inputsOfStream)
        #expect(try inputs(stream.map { [$0] }, role: role) == Self.inputsOfStream)
        for cut in stream.indices {
            let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
            #expect(try inputs(pieces, role: role) == Self.inputsOfStream, "cut at \(cut)")
        }
    }

    @Test func nothingIsLostWhenBytesComeFasterThanInputsAreTaken() throws {
        var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 20)
        var found: [WebSocketInput] = []
        for byte in Self.stream(mask: nil) {
            decoder.append([byte])
            decoder.append([])
        }
        while let input = try decoder.next() {
            found.append(input)
            decoder.append([])
        }
        #expect(found == Self.inputsOfStream)
    }

    @Test func lengthsTakeSevenSixteenOrSixtyFourBits() throws {
        for count in [0, 125, 126, 0xFFFF, 0x10000] {
            let payload = [UInt8](repeating: 7, count: count)
            #expect(try inputs(rawFrame(0x82, payload)) == [.binary(payload)])
        }
    }

    @Test func theNextMessageStartsAfresh() throws {
        let bytes = rawFrame(0x02, [1]) + rawFrame(0x80, [2]) + rawFrame(0x81, [0x61])
        #expect(try inputs(bytes) == [.binary([1, 2]), .text([0x61])])
    }

    @Test func whatFollowsACloseIsIgnored() throws {
        let bytes = rawFrame(0x88) + rawFrame(0x81, [0x61]) + [0xFF, 0xFF]
        #expect(try inputs(bytes) == [.close(code: nil, reason: "")])
    }

    @Test(
        arguments: [
            (0xC1, WebSocketError.reservedBits), (0xA1, .reservedBits), (0x91, .reservedBits),
            (0x83, .reservedOpcode(3)), (0x87, .reservedOpcode(7)), (0x8B, .reservedOpcode(11)),
            (0x8F, .reservedOpcode(15)), (0x09, .fragmentedControlFrame),
            (0x08, .fragmentedControlFrame), (0x0A, .fragmentedControlFrame),
        ] as [(UInt8, WebSocketError)])
    func theFirstByteAloneIsEnoughToRefuse(first: UInt8, error: WebSocketError) {
        #expect(throws: error) { try inputs([first]) }
        #expect(error.closeCode == .protocolError)
    }

    @Test func masksAreDemandedOfClientsAndForbiddenToServers() {
        #expect(throws: WebSocketError.unmaskedFrame) {
            try inputs(rawFrame(0x81, [0x61]), role: .server)
        }
        #expect(throws: WebSocketError.maskedFrame) {
            try inputs(rawFrame(0x81, [0x61], mask: [1, 2, 3, 4]), role: .client)
        }
    }

    @Test(arguments: [
        rawFrame(0x82, lengthBytes: 2, length: 125), rawFrame(0x82, lengthBytes: 8, length: 125),
        rawFrame(0x82, lengthBytes: 8, length: 0xFFFF),
        rawFrame(0x82, lengthBytes: 8, length: 1 << 63),
        rawFrame(0x82, lengthBytes: 8, length: .max),
    ])
    func lengthsHaveOneForm(bytes: [UInt8]) {
        #expect(throws: WebSocketError.malformedLength) { try inputs(bytes, limit: .max) }
    }

    @Test(arguments: [UInt8(0x88), 0x89, 0x8A])
    func controlFramesAreShort(first: UInt8) throws {
        #expect(throws: WebSocketError.longControlFrame) {
            try inputs(rawFrame(first, [UInt8](repeating: 0x61, count: 126)))
        }
        #expect(throws: WebSocketError.longControlFrame) {
            try inputs(rawFrame(first, lengthBytes: 8, length: 1 << 20))
        }
        let longest = [0x03, 0xE8] + [UInt8](repeating: 0x61, count: 123)
        #expect(try inputs(rawFrame(first, longest)).count == 1)
    }

    @Test func fragmentsBelongToOneMessageAtATime() {
        #expect(throws: WebSocketError.unexpectedContinuation) { try inputs(rawFrame(0x80, [1])) }
        #expect(throws: WebSocketError.unexpectedContinuation) {
            try inputs(rawFrame(0x81, [0x61]) + rawFrame(0x00, [1]))
        }
        #expect(throws: WebSocketError.unfinishedMessage) {
            try inputs(rawFrame(0x01, [0x61]) + rawFrame(0x81, [0x61]))
        }
        #expect(throws: WebSocketError.unfinishedMessage) {
            try inputs(rawFrame(0x02, [0x61]) + rawFrame(0x02, [0x61]))
        }
    }

    @Test func theLimitIsCheckedBeforeThePayloadComes() throws {
        #expect(try inputs(rawFrame(0x82, [1, 2, 3]), limit: 3) == [.binary([1, 2, 3])])
        let announced = rawFrame(0x82, lengthBytes: 8, length: UInt64(Int64.max))
        #expect(throws: WebSocketError.messageTooBig) { try inputs(announced, limit: 1 << 20) }
        #expect(WebSocketError.messageTooBig.closeCode == .messageTooBig)
        // All fragments count, and a control frame between them does not.
        let head = rawFrame(0x02, [1, 2]) + rawFrame(0x89, [9, 9, 9])
        #expect(try inputs(head + rawFrame(0x80, [3]), limit: 3).last == .binary([1, 2, 3]))
        #expect(throws: WebSocketError.messageTooBig) {
            try inputs(head + rawFrame(0x80, length: 2), limit: 3)
        }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFF], [0xC3, 0x28], [0xE2, 0x82], [0xF0, 0x9F, 0x91], [0x61, 0xC3],
        ] as [[UInt8]])
    func textIsUTF8(payload: [UInt8]) throws {
        #expect(throws: WebSocketError.invalidText) { try inputs(rawFrame(0x81, payload)) }
        #expect(throws: WebSocketError.invalidText) {
            try inputs(rawFrame(0x88, [0x03, 0xE8] + payload))
        }
        #expect(try inputs(rawFrame(0x82, payload)) == [.binary(payload)])
        #expect(WebSocketError.invalidText.closeCode == .invalidPayload)
    }

    @Test func theBordersOfUTF8AreText() throws {
        for scalar: Unicode.Scalar in [
            "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
            "\u{10000}", "\u{FFFFF}", "\u{10FFFF}",
        ] {
            let text = Array(String(scalar).utf8)
            #expect(try inputs(rawFrame(0x81, text)) == [.text(text)])
        }
    }

    @Test func badTextIsRefusedBeforeItsEnd() {
        let announced = rawFrame(0x81, [0x61, 0xFF], length: 100)
        #expect(throws: WebSocketError.invalidText) { try inputs(announced) }
    }

    @Test func closesCarryACodeAndAReasonOrNothing() throws {
        for code: UInt16 in [1000, 1003, 1007, 1011, 1014, 3000, 4999] {
            let payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
            #expect(
                try inputs(rawFrame(0x88, payload)) == [
                    .close(code: WebSocketCloseCode(rawValue: code), reason: "")
                ])
        }
        #expect(throws: WebSocketError.malformedClose) { try inputs(rawFrame(0x88, [3])) }
        for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] {
            let payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
            #expect(throws: WebSocketError.malformedClose, "\(code)") {
                try inputs(rawFrame(0x88, payload))
            }
        }
    }

    @Test func anErrorStays() {
        var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 10)
        decoder.append([0x83])
        #expect(throws: WebSocketError.reservedOpcode(3)) { try decoder.next() }
        decoder.append(rawFrame(0x81, [0x61]))
        #expect(throws: WebSocketError.reservedOpcode(3)) { try decoder.next() }
    }

    @Test func manySmallFramesInOneChunkAreReadInLinearTime() throws {
        let count = 100_000
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes += [0x81, 0x01, 0x61] }
        #expect(try inputs(bytes).count == count)
    }

    @Test func randomBytesNeverTrap() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
            for role in [WebSocketRole.client, .server] {
                let whole = Result { () throws(WebSocketError) in try inputs(bytes, role: role) }
                let cut = Result { () throws(WebSocketError) in
                    try inputs(bytes.map { [$0] }, role: role)
                }
                #expect(whole == cut)
            }
        }
    }
}
