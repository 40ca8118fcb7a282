import CCurl
import FmsgCore

/// The parts of a request's URL, as libcurl reads them, so that no second reader can disagree.
struct CurlEndpoint: Sendable, Equatable {
    var isSecure: Bool
    var host: String
    var port: String
    /// Whether the port is not the scheme's own.
    var hasUnusualPort: Bool
    /// Path and query, as a request line carries them.
    var target: String

    /// What error messages call it. No path and no query: those may hold secrets.
    var name: String { "\(host):\(port)" }

    /// The `Host` header.
    var authority: String { hasUnusualPort ? name : host }

    /// - Throws: ``TransportError/Kind/invalidURL`` for all but absolute `http` and `https` URLs
    ///   without a user or password.
    init(_ url: String) throws(TransportError) {
        guard let parser = fmsg_curl_url() else { throw CurlLibrary.failed("out of memory") }
        defer { fmsg_curl_url_cleanup(parser) }
        let hasControls = url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
        guard !hasControls,
            fmsg_curl_url_set(
                parser, CURLUPART_URL, url,
                UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parser),
            scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: parser),
            let port = Self.part(CURLUPART_PORT, of: parser, flags: CURLU_DEFAULT_PORT),
            let path = Self.part(CURLUPART_PATH, of: parser)
        else {
            throw TransportError(
                .invalidURL, "not a usable http or https URL", mayHaveArrived: false)
        }
        isSecure = scheme == "https"
        self.host = host
        self.port = port
        hasUnusualPort = port != (isSecure ? "443" : "80")
        target = path + (Self.part(CURLUPART_QUERY, of: parser).map { "?" + $0 } ?? "")
    }

    private static func part(
        _ part: CURLUPart, of parser: OpaquePointer, flags: Int32 = 0
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard fmsg_curl_url_get(parser, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
            return nil
        }
        defer { fmsg_curl_free(text) }
        return String(cString: text)
    }
}
