import FmsgCore

extension TransportRequest {
    /// - Throws: ``TransportError/Kind/invalidURL`` when the method, a name or a value would break
    ///   out of its line (RFC 9110, section 5.5).
    func checkHeaders() throws(TransportError) {
        let isSound =
            Self.isToken(method)
            && headers.allSatisfy { header in
                Self.isToken(header.name)
                    && !header.value.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
            }
        guard isSound else {
            throw TransportError(
                .invalidURL, "the request has a header that cannot be sent", mayHaveArrived: false)
        }
    }

    /// The headers as libcurl wants them: no waiting for "100 Continue", and no `Content-Type` of
    /// libcurl's own choice.
    var headerLines: [String] {
        var lines = headers.map { header in
            header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        }
        lines.append("Expect:")
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        return lines
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

extension Header {
    /// One received header line, with or without its line end; nil when it is none.
    init?(line: some Collection<UInt8>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
            return nil
        }
        let isSpace = { (byte: UInt8) in
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
        var value = Array(line[line.index(after: colon)...].drop(while: isSpace))
        while let last = value.last, isSpace(last) { value.removeLast() }
        self.init(
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}
