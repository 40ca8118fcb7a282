import CCurl
import FmsgCore

/// libcurl, which is found when it is first needed.
public enum CurlLibrary {
    /// What libcurl says of itself and the libraries below it; nil when it cannot be loaded.
    public static var version: String? {
        fmsg_curl_bind() ? String(cString: fmsg_curl_version()) : nil
    }

    /// Loads libcurl when that has not been done.
    /// - Throws: ``TransportError/Kind/unavailable`` when there is none that can be used.
    static func bind() throws(TransportError) {
        guard fmsg_curl_bind() else {
            throw TransportError(
                .unavailable,
                "libcurl 7.80 or newer was not found: install the package libcurl4",
                mayHaveArrived: false)
        }
    }

    /// An error for when libcurl itself refuses to work, which is for want of memory or threads.
    static func failed(_ what: String) -> TransportError {
        TransportError(.unavailable, "libcurl: \(what)", mayHaveArrived: false)
    }
}
