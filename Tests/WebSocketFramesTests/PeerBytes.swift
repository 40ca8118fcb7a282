@testable import WebSocketFrames

/// A frame put together by hand, so that it may break any rule.
func rawFrame(
    _ first: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = nil, lengthBytes: Int? = nil,
    length: UInt64? = nil
) -> [UInt8] {
    let length = length ?? UInt64(payload.count)
    let size = lengthBytes ?? (length < 126 ? 0 : length <= 0xFFFF ? 2 : 8)
    let short = size == 0 ? UInt8(length) : size == 2 ? 126 : 127
    var bytes = [first, (mask == nil ? 0 : 0x80) | short]
    for position in (0..<size).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(8 * position)))
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

/// Everything that `decoder` gives for `pieces`, fed one after the other.
func inputs(
    _ pieces: [[UInt8]], role: WebSocketRole = .client, limit: Int = 1 << 20
) throws(WebSocketError) -> [WebSocketInput] {
    var decoder = WebSocketDecoder(role: role, maximumMessageBytes: limit)
    var found: [WebSocketInput] = []
    for piece in pieces {
        decoder.append(piece)
        while let input = try decoder.next() { found.append(input) }
    }
    return found
}

func inputs(
    _ bytes: [UInt8], role: WebSocketRole = .client, limit: Int = 1 << 20
) throws(WebSocketError) -> [WebSocketInput] {
    try inputs([bytes], role: role, limit: limit)
}
