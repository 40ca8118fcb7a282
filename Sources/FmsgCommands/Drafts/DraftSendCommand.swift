import CommandLineTool
import FmsgCore

/// `fmsg draft send`: a draft becomes a message.
enum DraftSendCommand: Command {
    static let declaration = CommandDeclaration(
        "draft send", group: .write, summary: "Send a draft",
        description: """
            Like any send it is settled, see "fmsg help send". A draft that the host refuses to \
            send stays a draft.

            In a pipe the id of the sent message is printed.
            """,
        options: [MessageOptions.wait], operands: [Drafts.id],
        exitCodes: [
            .nothingCame, .notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed,
            .outcomeUnknown,
        ],
        examples: [
            Example("fmsg draft send 42 --wait", "Out with it, and whom it reached")
        ],
        output: """
            {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
            "redactions"}, and sha256 on hosts that give it; with --wait the array delivery, as \
            show --delivery prints it.
            """)

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let id = try invocation[Drafts.id]
        let client = try context.client()
        let draft = try await Drafts.own(id, with: client)
        let message = NewMessage(
            to: draft.to, topic: draft.topic, parent: draft.pid.map { ParentReference(id: $0) },
            type: draft.type, text: draft.wholeText ?? "")
        let sent = try await context.interruptible {
            try await client.sendDraft(id, of: message, isDraftKept: true)
        }
        return try await Outgoing.tell(
            sent, Drafts.attachments(of: draft), waiting: DeliveryDeadline(invocation),
            with: client, in: context)
    }
}
