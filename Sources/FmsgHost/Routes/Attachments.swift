import FmsgCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Attachments (web API, section 4).
extension WebAPI {
    /// The type of every attachment: what a part of a form says of itself is not kept.
    static let attachmentType = "application/octet-stream"
    private static let formField = "file"
    private static let maximumNameBytes = 255

    /// `POST /fmsg/:id/attach`: refused before its file is read where that can be known.
    func attach(_ call: Call) throws -> Intake {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        _ = try store.read { try self.attachableDraft(reference, call, $0) }
        let target = UploadTarget(
            folder: store.attachmentFolder, limit: configuration.limits.attachment)
        return .file(
            field: Self.formField, target: target,
            answer: answering { upload in
                switch upload {
                case .missing: throw Refusal(400, "file field required")
                case .tooLarge: throw Refusal(413, "attachment exceeds maximum size")
                case .failed: throw Refusal(500, "failed to store attachment")
                case .stored(let file): return try self.keep(file, reference, call)
                }
            })
    }

    /// `GET /fmsg/:id/attach/:filename`
    func attachment(_ call: Call) throws -> HTTPResponse {
        let attachment = try store.read { database in
            try named(call.filename, in: try visibleMessage(call, database))
        }
        let descriptor = open(store.path(ofFile: attachment.file), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal(500, "failed to read attachment") }
        return HTTPResponse(
            status: 200,
            headers: Self.downloadHeaders(
                type: Self.attachmentType, filename: attachment.filename),
            body: .file(descriptor: descriptor, offset: 0, size: UInt64(attachment.size))
        ).part(call.head.header("Range"))
    }

    /// `DELETE /fmsg/:id/attach/:filename`
    func detach(_ call: Call) throws -> HTTPResponse {
        let reference = try MessageReference(call.parameters, isCurrent: isCurrent)
        let file = try store.write { database in
            let message = try ownMessage(reference, call, database, else: "change")
            guard message.isDraft else {
                throw Refusal(403, "attachments of a sent message cannot be deleted")
            }
            let attachment = try named(call.filename, in: message)
            try database.deleteAttachment(attachment.filename, of: message.id)
            return attachment.file
        }
        store.removeFiles([file])
        return .noContent
    }

    /// The headers of a download, which no browser may take for a page.
    static func downloadHeaders(type: String, filename: String) -> [Header] {
        let isPlain = filename.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        let name =
            isPlain
            ? "filename=\"\(filename)\"" : "filename*=UTF-8''\(PercentEncoding.encode(filename))"
        return [
            Header("Content-Type", type),
            Header("Content-Disposition", "attachment; \(name)"),
            Header("X-Content-Type-Options", "nosniff"),
        ]
    }

    private func attachableDraft(
        _ reference: MessageReference, _ call: Call, _ database: Database
    ) throws -> StoredMessage {
        let message = try ownMessage(reference, call, database, else: "change")
        guard message.isDraft else {
            throw Refusal(403, "attachments cannot be added to a sent message")
        }
        return message
    }

    /// Makes an uploaded file an attachment, in place of one of the same name.
    private func keep(
        _ upload: StoredUpload, _ reference: MessageReference, _ call: Call
    ) throws -> HTTPResponse {
        do {
            let filename = try Self.lastComponent(upload.name)
            let replaced = try store.write { database in
                let message = try attachableDraft(reference, call, database)
                try checkTotal(
                    of: message, body: message.size, attachment: Int64(upload.size),
                    replacing: filename)
                try database.insertAttachment(upload, named: filename, to: message.id)
                return message.attachments.filter { $0.filename.hasSameBytes(as: filename) }.map(
                    \.file)
            }
            store.removeFiles(replaced)
            return .json(
                201, [Field.filename: .string(filename), Field.size: .integer(upload.size)])
        } catch {
            store.removeFiles([upload.file])
            throw error
        }
    }

    private static func lastComponent(_ path: String) throws -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= maximumNameBytes else {
            throw Refusal(400, "invalid filename")
        }
        return name
    }

    private func named(
        _ filename: String, in message: StoredMessage
    ) throws -> StoredMessage.Attachment {
        let attachment = message.attachments.first { $0.filename.hasSameBytes(as: filename) }
        guard let attachment else { throw Refusal(404, "attachment not found") }
        return attachment
    }
}
