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

    static func send(
        _ composed: Composed, _ invocation: Invocation, with client: FmsgClient,
        in context: CommandContext
    ) async throws -> ExitCode {
        guard !invocation[MessageOptions.dryRun] else {
            composed.text?.tell(in: context)
            return try await show(composed, with: client, in: context)
        }
        let sent = try await composed.deliver(in: context) {
            try await client.send(composed.message, attachments: composed.files.attachments)
        }
        return try await tell(
            sent, composed.files.json, redactions: composed.redactions,
            waiting: DeliveryDeadline(invocation), with: client, in: context)
    }

    /// Prints what was sent, and with `--wait` whom it reached.
    /// - Parameter attachments: the array for `--json`.
    static func tell(
        _ sent: SentMessage, _ attachments: JSON, redactions: Int = 0,
        waiting deadline: DeliveryDeadline?, with client: FmsgClient, in context: CommandContext
    ) async throws -> ExitCode {
        context.note(.sent(sent, client))
        let document = document(sent, attachments, redactions)
        // JSON is one value: it has to wait, too.
        if deadline == nil || !context.wantsJSON { try tell(sent, document, in: context) }
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
            try tell(sent, document, delivery: delivery, in: context)
        }
        return try deadline.conclude(outcome, of: sent, in: context)
    }

    /// Prints a draft as it stands now.
    /// - Parameter verb: what became of it: "made".
    static func tell(
        ofDraft draft: SentMessage, _ attachments: JSON, redactions: Int, verb: String,
        in context: CommandContext
    ) throws(OutputError) {
        if context.wantsJSON {
            try context.output.write(document(draft, attachments, redactions))
        } else if context.isOnTerminal {
            let to = DisplayText.escape(draft.message.to.joined(separator: ", "))
            try context.output.line("draft \(draft.id) \(verb), to \(to)")
        } else {
            try context.output.record([String(draft.id)])
        }
    }

    private static func tell(
        _ sent: SentMessage, _ document: JSONObject, delivery: JSON? = nil,
        in context: CommandContext
    ) throws(SentUntold) {
        do throws(OutputError) {
            if context.wantsJSON {
                var object = document
                if let delivery { object[DeliveryPage.delivery] = delivery }
                try context.output.write(object)
            } else if context.isOnTerminal {
                let to = DisplayText.escape(sent.message.to.joined(separator: ", "))
                try context.output.line("sent \(sent.id) to \(to)")
            } else {
                try context.output.record([String(sent.id)])
            }
            // Now, since a failure after this would hide that the message is out.
            try context.runtime.standardOutput.flush()
        } catch {
            throw SentUntold(id: sent.id, cause: error)
        }
    }

    private static func show(
        _ composed: Composed, with client: FmsgClient, in context: CommandContext
    ) async throws -> ExitCode {
        let sender = try await client.whoami().address
        var object: JSONObject = [dryRun: .bool(true)]
        for field in composed.message.draftDocument(from: sender).fields
        where field.key != Field.version {
            object[field.key] = field.value
        }
        if !composed.files.attachments.isEmpty {
            object[Field.attachments] = composed.files.json
        }
        object[redactions] = .integer(composed.redactions)
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

    private static func document(
        _ sent: SentMessage, _ attachments: JSON, _ count: Int
    ) -> JSONObject {
        let message = sent.message
        var object: JSONObject = [
            Field.id: .integer(sent.id), Field.time: sent.time.map(JSON.double) ?? .null,
            MessageDocument.timeRFC3339: MessageDocument.rfc3339(sent.time),
        ]
        if let sha256 = sent.sha256 { object[Field.sha256] = .string(sha256) }
        object[Field.from] = .string(sent.from)
        object[Field.to] = .strings(message.to)
        object[Field.topic] = .string(message.topic)
        object[Field.pid] = message.parent.map { JSON.integer($0.id) } ?? .null
        object[Field.attachments] = attachments
        object[redactions] = .integer(count)
        return object
    }
}
