import FmsgCore

/// Lineages (web API, section 5).
extension WebAPI {
    /// Messages of a lineage as JSON, and as text.
    private static let maximumMessages = 100
    private static let maximumTextMessages = 101

    /// A message of a lineage.
    private struct Link: Sendable {
        let message: StoredMessage
        /// Nil when the caller may not see the message.
        let body: [UInt8]?
    }

    /// `GET /fmsg/:id/thread/messages`
    func threadMessages(_ call: Call) throws -> HTTPResponse {
        let links = try lineage(call, limit: Self.maximumMessages + 1)
        guard links.count <= Self.maximumMessages else {
            throw Refusal(422, "thread exceeds maximum ancestry", code: "thread_too_deep")
        }
        let textBytes = links.reduce(0) { sum, link in
            sum + (MediaType.isShownInline(link.message.type) ? link.body?.count ?? 0 : 0)
        }
        guard textBytes <= configuration.limits.thread else {
            throw Refusal(413, "thread exceeds maximum size", code: "thread_too_large")
        }
        return .json(
            200,
            [
                Field.rootId: links.first.map { .integer($0.message.id) } ?? .null,
                Field.triggerId: links.last.map { .integer($0.message.id) } ?? .null,
                Field.complete: .bool(links.allSatisfy { $0.body != nil }),
                Field.messages: .array(links.map { .object(json($0, for: call.key)) }),
            ])
    }

    /// `GET /fmsg/:id/thread`
    func threadText(_ call: Call) throws -> HTTPResponse {
        let blocks = try lineage(call, limit: Self.maximumTextMessages).map { link in
            let message = link.message
            let time = message.time.map(Timestamp.rfc3339) ?? "draft"
            return "--- \(message.from) \(time) ---\n\(text(of: link))\n"
        }
        return .text(200, blocks.joined(separator: "\n"))
    }

    /// The lineage of the message of the path, root first, without what lies above `limit`.
    private func lineage(_ call: Call, limit: Int) throws -> [Link] {
        try store.read { database in
            let trigger = try visibleMessage(call, database)
            let ids = try database.lineage(of: trigger.id, limit: Int64(limit))
            return try database.messages(ids.reversed()).map { message in
                let isSeen = isVisible(message, to: call.key)
                return Link(
                    message: message, body: isSeen ? try database.body(of: message.id) : nil)
            }
        }
    }

    private func text(of link: Link) -> String {
        guard let body = link.body else { return "[message not visible to you]" }
        guard MediaType.isText(link.message.type) else {
            return "[non-text message: \(link.message.type), \(body.count) bytes]"
        }
        return String(decoding: body, as: UTF8.self)
    }

    private func json(_ link: Link, for key: AddressKey) -> JSONObject {
        let message = link.message
        guard let body = link.body else {
            return [Field.id: .integer(message.id), Field.visible: .bool(false)]
        }
        var item = JSONObject()
        item[Field.sha256] = .digest(message.sha256)
        if message.pid != nil { item[Field.parentSHA256] = .digest(message.parentSHA256) }
        item[Field.id] = .integer(message.id)
        item[Field.visible] = .bool(true)
        item[Field.version] = .integer(1)
        item[Field.pid] = message.pid.map { .integer($0) }
        item[Field.from] = .string(message.from)
        item[Field.to] = .strings(message.recipients.map(\.address))
        let batches = json(message, for: key).batches { _ in .null }
        if !batches.isNull { item[Field.addTo] = batches }
        item[Field.time] = message.time.map(JSON.double) ?? .null
        if !message.topic.isEmpty { item[Field.topic] = .string(message.topic) }
        item[Field.type] = .string(message.type)
        item[Field.size] = .integer(message.size)
        item[Field.messageSHA256] = .digest(message.sha256)
        for (field, flag) in [
            (Field.important, message.important), (Field.noReply, message.noReply),
            (Field.terminal, message.terminal),
        ] where flag { item[field] = .bool(true) }
        item[Field.body] = .object(bodyJSON(message, body))
        if !message.attachments.isEmpty {
            item[Field.attachments] = .array(
                message.attachments.map { .object(attachmentJSON($0, of: message)) })
        }
        return item
    }

    private func bodyJSON(_ message: StoredMessage, _ body: [UInt8]) -> JSONObject {
        var json: JSONObject = [
            Field.type: .string(message.type), Field.size: .integer(message.size),
        ]
        if MediaType.isShownInline(message.type) {
            json[Field.text] = .string(String(decoding: body, as: UTF8.self))
        } else {
            json[Field.download] = .string(Route.data.path([String(message.id)]))
        }
        json[Field.cacheKey] = .string(cacheKey(message, "body"))
        json[Field.cacheable] = .bool(!message.isDraft)
        return json
    }

    private func attachmentJSON(
        _ attachment: StoredMessage.Attachment, of message: StoredMessage
    ) -> JSONObject {
        let name = PercentEncoding.encode(attachment.filename)
        return [
            Field.position: .integer(0),
            Field.type: .string(Self.attachmentType),
            Field.filename: .string(attachment.filename),
            Field.size: .integer(attachment.size),
            Field.download: .string(
                Route.attachment.path([String(message.id), attachment.filename])),
            Field.cacheKey: .string(cacheKey(message, "attachment:0:\(name)")),
            Field.cacheable: .bool(!message.isDraft),
        ]
    }

    private func cacheKey(_ message: StoredMessage, _ part: String) -> String {
        "sha256:\(message.sha256.map(Hex.encode) ?? ""):\(part)"
    }
}
