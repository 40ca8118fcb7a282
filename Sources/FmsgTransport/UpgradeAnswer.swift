import FmsgCore

/// Reads the answer to an upgrade request: either 101, after which the bytes belong to the
/// WebSocket, or an ordinary answer (RFC 9112).
struct UpgradeAnswer: Sendable {
    enum Outcome: Sendable {
        /// Status 101, and the bytes that came after its head.
        case switched(TransportResponse, rest: [UInt8])
        case refused(TransportResponse)
    }

    enum Failure: Error, Sendable, Equatable {
        /// It is not HTTP.
        case malformed
        /// The head, or the body, is over its limit.
        case tooLarge
        /// The connection ended before the answer was whole.
        case truncated
    }

    /// Most bytes of a head.
    static let maximumHeadBytes = 64 << 10

    private let maximumBodyBytes: Int
    private var head: TransportResponse?
    /// What was read and is not part of `head`.
    private var bytes: [UInt8] = []

    init(maximumBodyBytes: Int) {
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Takes in the next bytes; none means that the connection ended.
    ///
    /// - Returns: the outcome, or nil while more is needed.
    mutating func read(_ piece: some Collection<UInt8>) throws(Failure) -> Outcome? {
        bytes += piece
        while head == nil {
            guard let end = endOfHead else {
                guard bytes.count <= Self.maximumHeadBytes else { throw .tooLarge }
                guard !piece.isEmpty else { throw .truncated }
                return nil
            }
            let answer = try Self.head(bytes[..<end])
            bytes.removeFirst(end)
            if answer.status == 101 { return .switched(answer, rest: bytes) }
            if answer.status >= 200 { head = answer }
        }
        guard var head, let body = try body(of: head, isEnd: piece.isEmpty) else { return nil }
        head.body = body
        return .refused(head)
    }

    private var endOfHead: Int? {
        let limit = min(bytes.count, Self.maximumHeadBytes)
        var lineStart = 0
        while let newline = bytes[lineStart..<limit].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[lineStart..<newline]
            lineStart = newline + 1
            if line.isEmpty || line.elementsEqual("\r".utf8) { return lineStart }
        }
        return nil
    }

    private static func head(_ bytes: ArraySlice<UInt8>) throws(Failure) -> TransportResponse {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let start = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = start.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count <= 4,
            let status = Int(words[1].filter(\.isNumber)), (100...999).contains(status)
        else { throw .malformed }
        return TransportResponse(
            status: status, headers: lines.dropFirst().compactMap(Header.init(line:)))
    }

    /// The body, once it is whole.
    private func body(of head: TransportResponse, isEnd: Bool) throws(Failure) -> [UInt8]? {
        if head.status == 204 || head.status == 304 { return [] }
        var body: [UInt8]?
        if head.header("Transfer-Encoding")?.lowercased().contains("chunked") == true {
            guard bytes.count <= 2 * maximumBodyBytes + Self.maximumHeadBytes else {
                throw .tooLarge
            }
            body = try unchunked()
        } else if let text = head.header("Content-Length") {
            guard let length = Int(text), length >= 0 else { throw .malformed }
            guard length <= maximumBodyBytes else { throw .tooLarge }
            body = bytes.count >= length ? Array(bytes.prefix(length)) : nil
        } else if isEnd {
            body = bytes
        } else {
            guard bytes.count <= maximumBodyBytes else { throw .tooLarge }
            return nil
        }
        guard body != nil || !isEnd else { throw .truncated }
        guard body.map(\.count) ?? 0 <= maximumBodyBytes else { throw .tooLarge }
        return body
    }

    /// The chunks' contents (RFC 9112, section 7.1); nil before the last chunk is there.
    private func unchunked() throws(Failure) -> [UInt8]? {
        var body: [UInt8] = []
        var position = 0
        while let newline = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: bytes[position..<newline], as: UTF8.self)
            let digits = line.prefix { $0.isHexDigit }
            guard let count = Int(digits, radix: 16) else { throw .malformed }
            guard count <= maximumBodyBytes else { throw .tooLarge }
            if count == 0 { return body }
            let start = newline + 1
            guard bytes.count >= start + count + 2 else { return nil }
            body += bytes[start..<start + count]
            guard bytes[start + count..<start + count + 2].elementsEqual("\r\n".utf8) else {
                throw .malformed
            }
            position = start + count + 2
        }
        return nil
    }
}
