import CCurl
import FmsgCore

extension TransportError {
    /// What a failed transfer of libcurl means.
    ///
    /// - Parameter mayHaveArrived: whether the request had begun to be sent.
    init(_ code: CURLcode, of easy: CurlEasy, at endpoint: CurlEndpoint, mayHaveArrived: Bool) {
        let kind = Self.kind(of: code, mayHaveArrived: mayHaveArrived)
        let reason = Self.reason(code, easy.errorDetail)
        let message =
            switch kind {
            case .invalidURL: "the URL cannot be requested: \(reason)"
            case .tls: "no secure connection to \(endpoint.name): \(reason)"
            case .unreachable: "cannot reach \(endpoint.name): \(reason)"
            case .timedOut: "\(endpoint.name) did not answer in time: \(reason)"
            default: "the connection to \(endpoint.name) broke: \(reason)"
            }
        self.init(kind, message, mayHaveArrived: mayHaveArrived)
    }

    static func cancelled(mayHaveArrived: Bool) -> TransportError {
        TransportError(.cancelled, "cancelled", mayHaveArrived: mayHaveArrived)
    }

    private static func kind(of code: CURLcode, mayHaveArrived: Bool) -> Kind {
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN:
            return .unavailable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            return .tls
        case _ where mayHaveArrived:
            return .broken
        case CURLE_URL_MALFORMAT:
            return .invalidURL
        default:
            return .unreachable
        }
    }

    /// libcurl's own words, on one line. About a proxy it may quote the setting, password and
    /// all, so that there its words for the code alone have to do.
    private static func reason(_ code: CURLcode, _ detail: String) -> String {
        let quotesSettings =
            code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_URL_MALFORMAT
            || detail.contains("nsupported proxy") || detail.contains("://")
        guard !detail.isEmpty, !quotesSettings else {
            return String(cString: fmsg_curl_easy_strerror(code))
        }
        var line = String.UnicodeScalarView()
        for scalar in detail.unicodeScalars.prefix(300) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
