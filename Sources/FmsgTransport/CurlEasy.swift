import CCurl
import FmsgCore

/// One easy handle of libcurl and what has to live as long as it. Belongs to one thread at a time.
final class CurlEasy {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var refusal = CURLE_OK

    /// - Throws: ``TransportError/Kind/unavailable`` when libcurl has no memory.
    init() throws(TransportError) {
        guard let pointer = fmsg_curl_easy_init() else {
            throw CurlLibrary.failed("out of memory")
        }
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        note(fmsg_curl_easy_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    }

    deinit {
        fmsg_curl_easy_cleanup(pointer)
        fmsg_curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    /// What libcurl wrote about the last failure; empty when nothing.
    var errorDetail: String { String(cString: errorText) }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) {
        note(fmsg_curl_easy_setopt_long(pointer, option, value))
    }

    func set(_ option: CURLoption, size: Int64) {
        note(fmsg_curl_easy_setopt_size(pointer, option, curl_off_t(size)))
    }

    func set(_ option: CURLoption, _ value: String?) {
        note(fmsg_curl_easy_setopt_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        note(fmsg_curl_easy_setopt_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ callback: @escaping curl_write_callback) {
        note(fmsg_curl_easy_setopt_data(pointer, option, callback))
    }

    func set(_ option: CURLoption, _ callback: @escaping curl_xferinfo_callback) {
        note(fmsg_curl_easy_setopt_progress(pointer, option, callback))
    }

    func set(_ option: CURLoption, _ callback: @escaping curl_prereq_callback) {
        note(fmsg_curl_easy_setopt_prereq(pointer, option, callback))
    }

    /// A body that libcurl copies.
    func set(body: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE_LARGE, size: Int64(body.count))
        body.withUnsafeBytes { bytes in
            note(
                fmsg_curl_easy_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress))
        }
        // An empty array may have no address, which would mean "read it by callback".
        if body.isEmpty { set(CURLOPT_COPYPOSTFIELDS, "") }
    }

    /// The request's header lines, in libcurl's own notation.
    func set(headerLines: [String]) {
        for line in headerLines {
            guard let longer = fmsg_curl_slist_append(headerList, line) else {
                note(CURLE_OUT_OF_MEMORY)
                return
            }
            headerList = longer
        }
        note(fmsg_curl_easy_setopt_list(pointer, CURLOPT_HTTPHEADER, headerList))
    }

    /// What belongs to every connection: verified TLS, the settings' proxy and certificates and
    /// nothing that libcurl would take from the environment, no signals, no other protocol.
    func configure(for url: String, endpoint: CurlEndpoint, settings: TransportSettings) {
        set(CURLOPT_URL, url)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectMilliseconds)
        set(CURLOPT_USERAGENT, settings.userAgent)
        set(CURLOPT_PROXY, (endpoint.isSecure ? settings.httpsProxy : settings.httpProxy) ?? "")
        set(CURLOPT_NOPROXY, settings.noProxy ?? "")
        setCertificates(settings)
        // Newer than the oldest libcurl that is good enough. The first is a second fence behind
        // `CurlEndpoint`; the second lets a cancelled look-up of a name end by itself.
        _ = fmsg_curl_easy_setopt_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = fmsg_curl_easy_setopt_long(pointer, CURLOPT_QUICK_EXIT, 1)
    }

    /// - Throws: ``TransportError/Kind/unavailable`` when an option was refused.
    func check() throws(TransportError) {
        guard refusal == CURLE_OK else {
            throw CurlLibrary.failed(String(cString: fmsg_curl_easy_strerror(refusal)))
        }
    }

    // MARK: Answers

    var status: Int {
        var value = 0
        _ = fmsg_curl_easy_getinfo_long(pointer, CURLINFO_RESPONSE_CODE, &value)
        return value
    }

    /// The announced length of the answer's body, in bytes; nil when there is none.
    var announcedLength: Int64? {
        var value: curl_off_t = -1
        let code = fmsg_curl_easy_getinfo_size(
            pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &value)
        return code == CURLE_OK && value >= 0 ? Int64(value) : nil
    }

    /// The connection's socket, of a `CURLOPT_CONNECT_ONLY` handle.
    var socket: curl_socket_t? {
        var value: curl_socket_t = -1
        let code = fmsg_curl_easy_getinfo_socket(pointer, CURLINFO_ACTIVESOCKET, &value)
        return code == CURLE_OK && value >= 0 ? value : nil
    }

    // MARK: Parts

    private func setCertificates(_ settings: TransportSettings) {
        let file = settings.certificateFile
        var directory = settings.certificateDirectory
        if file == nil && directory == nil {
            // A hashed directory costs nothing until a certificate is looked for; libcurl's own
            // bundle is read whole at every start.
            guard let system = systemDirectory, CertificateDirectory.isHashed(system) else {
                return
            }
            directory = system
        }
        for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, file) }
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, directory) }
    }

    /// The directory of certificates that this libcurl was built for.
    private var systemDirectory: String? {
        var text: UnsafePointer<CChar>?
        guard fmsg_curl_easy_getinfo_string(pointer, CURLINFO_CAPATH, &text) == CURLE_OK,
            let text
        else { return nil }
        return String(cString: text)
    }

    private func note(_ code: CURLcode) {
        if refusal == CURLE_OK { refusal = code }
    }
}
