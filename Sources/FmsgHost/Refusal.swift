import FmsgCore

/// A request that is not granted: its status and the host's words (web API, section 2).
struct Refusal: Error {
    let status: Int
    let message: String
    var code: String?

    init(_ status: Int, _ message: String, code: String? = nil) {
        self.status = status
        self.message = message
        self.code = code
    }

    var response: HTTPResponse {
        var body = JSONObject()
        if let code { body[Field.code] = .string(code) }
        body[Field.error] = .string(message)
        return .json(status, body)
    }

    static let messageNotFound = Refusal(404, "message not found")
    static let accessDenied = Refusal(403, "access denied")
    static let invalidId = Refusal(400, "invalid message id")
    static let ownerRequired = Refusal(
        403, "identity-provider owner authentication is required")
    static let invalidToken = Refusal(401, "invalid token")
    static let bodyTooLarge = Refusal(413, "message data exceeds maximum size")
    static let notCreated = Refusal(500, "failed to create message")
}
