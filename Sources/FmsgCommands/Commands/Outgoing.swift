import CommandLineTool
import FmsgCore

/// Sends a composed message, or shows it for `--dry-run`, and prints what became of it.
enum Outgoing {
    /// The keys that this program adds.
    private static let redactions = "redactions"
    private static let dryRun = "dry_run"

    /// The keys of what was sent, and of what would be.
    static let keys = [
        Field.id, Field.time, MessageDocument.timeRFC3339, Field.sha256, Field.from, Field.to,
        Field.topic, Field.pid, Field.attachments, redactions, dryRun, Field.type, Field.size,
        Field.important, Field.noReply, Field.terminal, Field.data, DeliveryPage.delivery,
    ]

    /// - Parameter files: what goes with it, all or nothing.
    static func send(
        _ message: NewMessage, _ files: AttachedFiles, _ invocation: Invocation,
        with client: FmsgClient, in context: CommandContext
    ) async throws -> ExitCode {
        guard !invocation[MessageOptions.dryRun] else {
            return try await show(message, files, with: client, in: context)
        }
        defer { files.endMeters() }
        let sent = try await context.interruptible {
            try await client.send(message, attachments: files.attachments)
        }
        return try await tell(
            sent, files, waiting: DeliveryDeadline(invocation), with: client, in: context)
    }

    /// Prints what was sent, and with `--wait` whom it reached.
    static func tell(
        _ sent: SentMessage, _ files: AttachedFiles, waiting deadline: DeliveryDeadline?,
        with client: FmsgClient,
        in context: CommandContext
    ) async throws -> ExitCode {
        // JSON is one value: it has to wait, too.
        if deadline == nil || !context.wantsJSON { try tell(sent, files, in: context) }
        guard let deadline else { return .done }
        let outcome: Result<FmsgMessage, any Error>
        do {
            outcome = .success(
                try await context.interruptible {
                    try await client.settledDelivery(of: sent.id, within: deadline.seconds)
                })
        } catch {
            outcome = .failure(error)
        }
        if context.wantsJSON {
            let delivery = (try? outcome.get()).map(DeliveryPage.json)
            try tell(sent, files, delivery: delivery, in: context)
        }
        return try deadline.conclude(outcome, of: sent, in: context)
    }

    private static func tell(
        _ sent: SentMessage, _ files: AttachedFiles, delivery: JSON? = nil,
        in context: CommandContext
    ) throws(SentUntold) {
        do throws(OutputError) {
            try write(sent, files, delivery, in: context)
            // Now, since a failure after this would hide that the message is out.
            try context.runtime.standardOutput.flush()
        } catch {
            throw SentUntold(id: sent.id, cause: error)
        }
    }

    private static func write(
        _ sent: SentMessage, _ files: AttachedFiles, _ delivery: JSON?, in context: CommandContext
    ) throws(OutputError) {
        let message = sent.message
        if context.wantsJSON {
            var object: JSONObject = [
                Field.id: .integer(sent.id), Field.time: sent.time.map(JSON.double) ?? .null,
                MessageDocument.timeRFC3339: MessageDocument.rfc3339(sent.time),
            ]
            if let sha256 = sent.sha256 { object[Field.sha256] = .string(sha256) }
            object = JSONObject(
                fields: object.fields + envelope(message, files, from: sent.from).fields)
            if let delivery { object[DeliveryPage.delivery] = delivery }
            try context.output.write(object)
        } else if context.isOnTerminal {
            let to = DisplayText.escape(message.to.joined(separator: ", "))
            try context.output.line("sent \(sent.id) to \(to)")
        } else {
            try context.output.record([String(sent.id)])
        }
    }

    private static func show(
        _ message: NewMessage, _ files: AttachedFiles, with client: FmsgClient,
        in context: CommandContext
    ) async throws -> ExitCode {
        let sender = try await client.whoami().address
        var object: JSONObject = [dryRun: .bool(true)]
        for field in message.draftDocument(from: sender).fields where field.key != Field.version {
            object[field.key] = field.value
        }
        if !files.attachments.isEmpty { object[Field.attachments] = list(files) }
        if context.wantsJSON {
            try context.output.write(object)
            return .done
        }
        context.say("nothing was sent")
        for (name, value) in object.fields where name != dryRun {
            let text: String =
                switch value {
                case .string(let text): text
                case .array(let items):
                    items.compactMap { $0.string ?? $0.object?[Field.filename]?.string }
                        .joined(separator: ", ")
                default: value.text
                }
            try context.output.record([name, text])
        }
        return .done
    }

    private static func envelope(
        _ message: NewMessage, _ files: AttachedFiles, from sender: String
    ) -> JSONObject {
        [
            Field.from: .string(sender), Field.to: .strings(message.to),
            Field.topic: .string(message.topic),
            Field.pid: message.parent.map { JSON.integer($0.id) } ?? .null,
            Field.attachments: list(files), redactions: .integer(0),
        ]
    }

    private static func list(_ files: AttachedFiles) -> JSON {
        .array(
            files.attachments.map {
                .object([Field.filename: .string($0.filename), Field.size: .integer($0.size)])
            })
    }
}
