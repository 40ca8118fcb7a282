/// The address of a host's web API, checked and in one spelling.
public struct HostURL: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host and port, and a path in front of `/fmsg` where a proxy wants one; no slash
    /// at the end.
    public let text: String
    /// Whether requests travel in clear text.
    public let isPlain: Bool
    /// Whether the host is this machine, by name or by number.
    public let isLoopback: Bool

    /// - Parameter text: an `http` or `https` URL, with or without `/fmsg` at its end.
    /// - Throws: ``FmsgError/invalid(_:)`` that says what is wrong.
    public init(_ text: String) throws(FmsgError) {
        // Only a refusal has to be shown.
        func refusal(_ rule: String) -> FmsgError {
            .invalid("\(SafeText.line(text, limit: 200)): an API URL \(rule)")
        }
        guard let schemeEnd = text.firstIndex(of: ":"), text[schemeEnd...].hasPrefix("://") else {
            throw refusal("begins with https:// or http://")
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw refusal("begins with https:// or http://")
        }
        let rest = text[schemeEnd...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw .invalid("the API URL must not hold a user name or password")
        }
        let isHarmless = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        guard !authority.isEmpty, isHarmless, !text.contains("?"), !text.contains("#") else {
            throw refusal("has a host, perhaps a path, and nothing more")
        }
        var path = rest.dropFirst(authority.count)
        while path.hasSuffix("/") { path.removeLast() }
        if path == "/fmsg" || path.hasSuffix("/fmsg") { path.removeLast("/fmsg".count) }
        let host = Self.host(of: authority.lowercased())
        self.text = "\(scheme)://\(authority.lowercased())\(path)"
        isPlain = scheme == "http"
        isLoopback = host == "localhost" || host == "::1" || Self.isLoopbackNumber(host)
    }

    public var description: String { text }

    /// The URL of a route.
    func url(of route: Route, _ parameters: [String], query: [(String, String)]) -> String {
        var url = text + route.path(parameters)
        for (index, pair) in query.enumerated() {
            url += "\(index == 0 ? "?" : "&")\(pair.0)=\(PercentEncoding.encode(pair.1))"
        }
        return url
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }

    private static func isLoopbackNumber(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
