import Testing

@testable import WebSocketFrames

@Suite struct WebSocketFrameTests {
    @Test func theExamplesOfTheStandard() {
        // RFC 6455, section 5.7.
        let hello = Array("Hello".utf8)
        #expect(
            WebSocketFrame(.text, hello).encoded(mask: nil) == [
                0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F,
            ])
        #expect(
            WebSocketFrame(.text, hello).encoded(mask: 0x37FA_213D) == [
                0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
            ])
        #expect(
            WebSocketFrame(.text, Array("Hel".utf8), isFinal: false).encoded(mask: nil) == [
                0x01, 0x03, 0x48, 0x65, 0x6C,
            ])
        #expect(
            WebSocketFrame(.ping, hello).encoded(mask: nil) == [0x89, 0x05] + hello)
        let large = [UInt8](repeating: 1, count: 65536)
        #expect(
            WebSocketFrame(.binary, large).encoded(mask: nil)
                == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large)
    }

    @Test(arguments: [0, 1, 5, 125, 126, 127, 0xFFFF, 0x10000])
    func whatIsEncodedIsDecoded(count: Int) throws {
        let payload = (0..<count).map { UInt8($0 % 253) }
        let frame = WebSocketFrame(.binary, payload)
        #expect(try inputs(frame.encoded(mask: nil)) == [.binary(payload)])
        #expect(
            try inputs(frame.encoded(mask: 0x1234_5678), role: .server) == [.binary(payload)])
    }

    @Test func controlFramesAreCutAndWhole() {
        let frame = WebSocketFrame(.ping, [UInt8](repeating: 1, count: 200), isFinal: false)
        #expect(frame.payload.count == 125)
        #expect(frame.isFinal)
    }

    @Test func closesAreCutAtACharacter() throws {
        let frame = WebSocketFrame.close(
            .policyViolation, reason: String(repeating: "€", count: 99))
        #expect(
            try inputs(frame.encoded(mask: nil)) == [
                .close(code: .policyViolation, reason: String(repeating: "€", count: 41))
            ])
        #expect(WebSocketFrame.close(nil).payload.isEmpty)
        #expect(WebSocketFrame.close(WebSocketCloseCode(rawValue: 1006)).payload.isEmpty)
    }
}
