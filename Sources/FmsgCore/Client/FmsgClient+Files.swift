extension FmsgClient {
    /// Attaches a file to a draft; the same name replaces.
    /// - Throws: ``FmsgError``; also when the host keeps it under another name or size.
    public func attach(_ file: NewAttachment, to id: Int64) async throws(FmsgError) -> Attachment {
        let form = MultipartForm(filename: file.filename, boundary: Self.boundary(for: id))
        let request = TransportRequest(
            method: Route.attach.method,
            url: host.url(of: .attach, [String(id)], query: []),
            headers: [Header("Content-Type", form.contentType)],
            maximumResponseBytes: ResponseLimit.object)
        let answer = try await authorized(request) {
            [transport] (request) throws(TransportError) in
            var request = request
            request.body = .stream(
                length: form.length(around: file.size), next: form.wrap(file.open()))
            return try await transport.send(request)
        }
        let response = try Self.success(answer, .attach)
        let attachment = try Self.decode(response, .attach) { (value) throws(ShapeError) in
            try Attachment(try FieldReader(value, as: "the answer"))
        }
        guard attachment.size == file.size else {
            throw .malformedAnswer(
                .attach, reason: "\(attachment.size) bytes of \(file.size) have arrived")
        }
        guard attachment.filename.utf8.elementsEqual(file.filename.utf8) else {
            throw .invalid(
                "the host would keep \(SafeText.line(file.filename, limit: 100)) as "
                    + SafeText.line(attachment.filename, limit: 100))
        }
        return attachment
    }

    /// Attaches a file as ``attach(_:to:)`` does, and makes good a lost answer.
    public func attachSettled(
        _ file: NewAttachment, to id: Int64
    ) async throws(FmsgError) -> Attachment {
        try await repeating { () throws(FmsgError) in try await self.attach(file, to: id) }
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
