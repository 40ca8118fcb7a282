extension FmsgClient {
    /// Attaches a file to a draft; the same name replaces.
    /// - Parameters:
    ///   - length: bytes of the file.
    ///   - open: opens the file from its beginning, again for a repeated request, and gives
    ///     what reads it piece by piece: at most the asked number of bytes, an empty array at
    ///     its end.
    public func attach(
        _ filename: String, length: Int64, to id: Int64,
        open: @escaping @Sendable () -> @Sendable (_ atMost: Int) throws -> [UInt8]
    ) async throws(FmsgError) -> Attachment {
        let form = MultipartForm(filename: filename, boundary: Self.boundary(for: id))
        let request = TransportRequest(
            method: Route.attach.method,
            url: host.url(of: .attach, [String(id)], query: []),
            headers: [Header("Content-Type", form.contentType)],
            maximumResponseBytes: ResponseLimit.object)
        let answer = try await authorized(request) {
            [transport] (request) throws(TransportError) in
            var request = request
            request.body = .stream(length: form.length(around: length), next: form.wrap(open()))
            return try await transport.send(request)
        }
        let response = try Self.success(answer, .attach)
        return try Self.decode(response, .attach) { (value) throws(ShapeError) in
            try Attachment(try FieldReader(value, as: "the answer"))
        }
    }

    /// Takes an attachment off a draft.
    public func detach(_ filename: String, from id: Int64) async throws(FmsgError) {
        _ = try await perform(.detach, [String(id), filename])
    }

    /// The lineage as the host's plain text.
    public func threadText(of id: Int64) async throws(FmsgError) -> String {
        let response = try await perform(
            .threadText, [String(id)], maximumResponseBytes: ResponseLimit.lineage)
        return String(decoding: response.body, as: UTF8.self)
    }

    private static func boundary(for id: Int64) -> String {
        var random = SystemRandomNumberGenerator()
        return "fmsg-\(id)-\(String(random.next(), radix: 36))\(String(random.next(), radix: 36))"
    }
}
