/// What an author puts into a draft.
struct DraftContent: Sendable {
    var to: [String]
    var pid: Int64?
    /// The hash of the parent, or of the batch by which the author came to it.
    var parentSHA256: [UInt8]?
    var topic = ""
    var type: String
    var important = false
    var noReply = false
    var terminal = false
    var data: [UInt8]

    /// The first bytes of a text body, cut at a code point; nil for other bodies and for none.
    func preview(limit: Int) -> String? {
        guard MediaType.isText(type), !data.isEmpty else { return nil }
        guard data.count > limit else { return String(decoding: data, as: UTF8.self) }
        var end = limit
        while end > 0, data[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: data[..<end], as: UTF8.self)
    }
}

/// What a host has to know of media types.
enum MediaType {
    /// The type without parameters, in lower case.
    static func base(_ type: String) -> String {
        String(type.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
    }

    static func isText(_ type: String) -> Bool { base(type).hasPrefix("text/") }

    /// Whether a thread shows such a body inline (web API, section 5).
    static func isShownInline(_ type: String) -> Bool {
        let base = base(type)
        return base.hasPrefix("text/") || base == "application/json" || base.hasSuffix("+json")
    }

    /// The `Content-Type` under which a body of `type` is handed out: never one of the author's
    /// own making.
    static func served(_ type: String) -> String {
        let base = base(type)
        let isPlain = base.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPlain, base.count < 100 else { return "application/octet-stream" }
        if base.hasPrefix("text/") { return base + "; charset=utf-8" }
        return isShownInline(base) ? base : "application/octet-stream"
    }

    /// The type of a reaction (web API, section 6), case and spaces aside.
    static func isReaction(_ type: String) -> Bool {
        type.filter { !$0.isWhitespace }.lowercased() == "text/plain;charset=utf-8"
    }

    static let reaction = "text/plain;charset=UTF-8"
}
