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
        Field.important, Field.noReply, Field.terminal, Field.data,
    ]

    static func send(
        _ message: NewMessage, _ invocation: Invocation, with client: FmsgClient,
        in context: CommandContext
    ) async throws -> ExitCode {
        guard !invocation[MessageOptions.dryRun] else {
            return try await show(message, with: client, in: context)
        }
        let sent = try await context.interruptible { try await client.send(message) }
        context.note(.sent(sent, client))
        do throws(OutputError) {
            try tell(sent, in: context)
            // Now, since a failure after this would hide that the message is out.
            try context.runtime.standardOutput.flush()
        } catch {
            throw SentUntold(id: sent.id, cause: error)
        }
        return .done
    }

    private static func tell(
        _ sent: SentMessage, in context: CommandContext
    ) throws(OutputError) {
        let message = sent.message
        if context.wantsJSON {
            var object: JSONObject = [
                Field.id: .integer(sent.id), Field.time: sent.time.map(JSON.double) ?? .null,
                MessageDocument.timeRFC3339: MessageDocument.rfc3339(sent.time),
            ]
            if let sha256 = sent.sha256 { object[Field.sha256] = .string(sha256) }
            try context.output.write(
                JSONObject(fields: object.fields + envelope(message, from: sent.from).fields))
        } else if context.isOnTerminal {
            let to = DisplayText.escape(message.to.joined(separator: ", "))
            try context.output.line("sent \(sent.id) to \(to)")
        } else {
            try context.output.record([String(sent.id)])
        }
    }

    private static func show(
        _ message: NewMessage, with client: FmsgClient, in context: CommandContext
    ) async throws -> ExitCode {
        let sender = try await client.whoami().address
        var object: JSONObject = [dryRun: .bool(true)]
        for field in message.draftDocument(from: sender).fields where field.key != Field.version {
            object[field.key] = field.value
        }
        if context.wantsJSON {
            try context.output.write(object)
            return .done
        }
        context.say("nothing was sent")
        for (name, value) in object.fields where name != dryRun {
            let text: String =
                switch value {
                case .string(let text): text
                case .array(let items): items.compactMap(\.string).joined(separator: ", ")
                default: value.text
                }
            try context.output.record([name, text])
        }
        return .done
    }

    private static func envelope(_ message: NewMessage, from sender: String) -> JSONObject {
        [
            Field.from: .string(sender), Field.to: .strings(message.to),
            Field.topic: .string(message.topic),
            Field.pid: message.parent.map { JSON.integer($0.id) } ?? .null,
            Field.attachments: .array([]), redactions: .integer(0),
        ]
    }
}
