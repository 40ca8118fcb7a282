import CommandLineTool
import FmsgCore

/// `fmsg draft create`: a message that is not sent yet.
enum DraftCreateCommand: Command {
    static let parent = Option.value(
        "parent", .messageReference, "The message that it replies to")

    static let declaration = CommandDeclaration(
        "draft create", group: .write, summary: "Make a draft",
        description: """
            The line is that of send. Without any text, on a terminal, the editor opens (VISUAL, \
            EDITOR). With --parent it is a draft of a reply: to the sender, unless the line names \
            others. Files that go with it by -a are attached all or none: when one of them is \
            refused, there is no draft.

            In a pipe the draft's id is printed.
            """,
        options: [
            SendCommand.topic, parent, MessageOptions.text, MessageOptions.file,
            MessageOptions.attach, MessageOptions.to, MessageOptions.important,
            MessageOptions.noReply, MessageOptions.terminal, MessageOptions.type,
            MessageOptions.noRedact,
        ],
        operands: [SendCommand.words],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg draft create @bob@example.com --topic Plan", "Opens the editor"),
            Example("id=$(fmsg draft create @bob@example.com -F plan.md)", "From a script"),
        ],
        output: """
            {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
            "redactions"}; both times are null.
            """)

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let (recipients, texts) = try SendCommand.parts(
            try invocation[SendCommand.words], invocation, in: context)
        guard !recipients.isEmpty || invocation.isGiven(parent) else {
            throw invocation.usageError(
                "there is nobody to send to", hint: "give @user@domain, or a name with --to")
        }
        let files = try AttachedFiles(invocation[MessageOptions.attach], invocation, in: context)
        let body = try await MessageOptions.body(invocation, operands: texts, in: context)
        let client = try context.client()
        var message = NewMessage(
            to: recipients, topic: invocation[SendCommand.topic] ?? "", text: "")
        if let reference = invocation[parent] {
            let parent = try await context.message(reference, from: client)
            try FmsgClient.checkAcceptsReplies(parent, allowNoReply: true)
            let me = try await client.whoami().address
            message.parent = parent.parentReference(for: me)
            if recipients.isEmpty { message.to = parent.replyRecipients(for: me) }
        }
        MessageOptions.apply(invocation, to: &message)
        let composed = try await Composed(message, text: body, files: files, in: context)
        let draft = try await composed.deliver(in: context) {
            try await client.createDraft(
                composed.message, attachments: composed.files.attachments)
        }
        try Outgoing.tell(
            ofDraft: draft, composed.files.json, redactions: composed.redactions, verb: "made",
            in: context)
        return .done
    }
}
