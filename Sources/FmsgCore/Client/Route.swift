/// Every route of the web API (section 4) but Web Push: method and path in one place, from which the client
/// builds a request and the embedded host recognises one.
public enum Route: String, CaseIterable, Sendable {
    case token = "POST /fmsg/token"
    case inbox = "GET /fmsg"
    case sent = "GET /fmsg/sent"
    case events = "GET /fmsg/ws"
    case createDraft = "POST /fmsg"
    case message = "GET /fmsg/:id"
    case replaceDraft = "PUT /fmsg/:id"
    case deleteDraft = "DELETE /fmsg/:id"
    case send = "POST /fmsg/:id/send"
    case markRead = "POST /fmsg/:id/read"
    case addTo = "POST /fmsg/:id/add-to"
    case react = "POST /fmsg/:id/react"
    case data = "GET /fmsg/:id/data"
    case threadText = "GET /fmsg/:id/thread"
    case threadMessages = "GET /fmsg/:id/thread/messages"
    case attach = "POST /fmsg/:id/attach"
    case attachment = "GET /fmsg/:id/attach/:filename"
    case detach = "DELETE /fmsg/:id/attach/:filename"
    case subAccounts = "GET /fmsg/sub-accounts"
    case createSubAccount = "POST /fmsg/sub-accounts"
    case subAccount = "GET /fmsg/sub-accounts/:agent"
    case allowSubAccount = "PATCH /fmsg/sub-accounts/:agent"
    case deleteSubAccount = "DELETE /fmsg/sub-accounts/:agent"
    case rotateKey = "POST /fmsg/sub-accounts/:agent/rotate-key"

    /// The request method.
    public var method: String { String(rawValue.prefix { $0 != " " }) }

    /// The path, with `:id`, `:filename` and `:agent` where values go.
    public var template: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

    /// Whether older hosts (2026-07) lack it and answer with the plain-text 404.
    public var isNewerOnly: Bool { self == .react || self == .threadMessages }

    /// The path with its parameters filled in, each percent-encoded as one segment.
    public func path(_ parameters: [String] = []) -> String {
        var rest = parameters[...]
        let segments = template.split(separator: "/").map { segment -> String in
            guard segment.hasPrefix(":"), let value = rest.popFirst() else {
                return String(segment)
            }
            return PercentEncoding.encode(value)
        }
        return "/" + segments.joined(separator: "/")
    }

    /// The route of a request and the decoded parameters of its path, if there is one.
    ///
    /// `path` is the part of the request target before any `?`. Literal segments win over
    /// parameters, as `/fmsg/sent` does over `/fmsg/:id`.
    public static func match(method: String, path: String) -> (route: Route, parameters: [String])?
    {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return allCases.lazy
            .filter { $0.method == method }
            .compactMap { route in route.parameters(in: segments).map { (route, $0) } }
            .min { $0.1.count < $1.1.count }
    }

    /// The values of this route's parameters in a path's segments; nil when it is another's.
    private func parameters(in segments: ArraySlice<Substring>) -> [String]? {
        let wanted = template.split(separator: "/")
        guard wanted.count == segments.count else { return nil }
        var parameters: [String] = []
        for (want, have) in zip(wanted, segments) {
            if want.hasPrefix(":") {
                guard !have.isEmpty, let value = PercentEncoding.decode(String(have)) else {
                    return nil
                }
                parameters.append(value)
            } else if want != have {
                return nil
            }
        }
        return parameters
    }
}

/// Percent-encoding of one path segment (RFC 3986, section 2).
public enum PercentEncoding {
    /// Encodes every byte but the unreserved characters.
    public static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    /// The decoded text, or nil when an escape is malformed or the bytes are not UTF-8.
    public static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
