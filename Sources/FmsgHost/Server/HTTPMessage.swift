import FmsgCore

/// The head of one request.
struct RequestHead: Sendable {
    var method: String
    /// The path as sent, percent-encoding kept.
    var path: String
    /// The arguments of the query, percent-encoding kept.
    var query: [(name: String, value: String)]
    var headers: [Header]
    /// Where the request comes from; nil when that is unknown.
    var peer: IPAddress?

    /// The first header of that name, whatever its case.
    func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// The first argument of that name, decoded.
    func argument(_ name: String) -> String? {
        query.first { $0.name == name }.flatMap { PercentEncoding.decode($0.value) }
    }
}

/// What is done with the body of a request, decided from its head alone.
enum Intake {
    /// Collect at most `limit` bytes, then answer; beyond it `tooLarge` is the answer.
    case collect(
        limit: Int, tooLarge: HTTPResponse, answer: @Sendable (_ body: [UInt8]) -> HTTPResponse)
    /// Write the part `field` of a multipart form to a file, then answer.
    case file(field: String, target: UploadTarget, answer: @Sendable (Upload) -> HTTPResponse)
    /// Read past the body and give this answer.
    case answer(HTTPResponse)
}

/// One answer.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of an open file that is streamed, after which the file is closed. In bytes.
        case file(descriptor: Int32, offset: UInt64, size: UInt64)
        /// The connection leaves HTTP.
        case upgrade(@Sendable (UpgradedConnection) -> Void)
    }

    var status: Int
    var headers: [Header]
    var body: Body

    static func json(_ status: Int, _ object: JSONObject) -> HTTPResponse {
        json(status, .object(object))
    }

    static func json(_ status: Int, _ value: JSON) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Header("Content-Type", "application/json; charset=utf-8")],
            body: .bytes(escapingMarkup(value.bytes)))
    }

    static func text(
        _ status: Int, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Header("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }

    static let noContent = HTTPResponse(status: 204, headers: [], body: .bytes([]))
    static let pageNotFound = text(404, "404 page not found", type: "text/plain")

    /// Writes `<`, `>` and `&`, which in JSON only stand in strings, as escapes (web API,
    /// section 8).
    private static func escapingMarkup(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: isMarkup) else { return json }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count + 64)
        for byte in json {
            if isMarkup(byte) {
                escaped += "\\u00\(String(byte, radix: 16))".utf8
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&")
    }
}
