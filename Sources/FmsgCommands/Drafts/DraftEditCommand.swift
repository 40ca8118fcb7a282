import CommandLineTool
import FmsgCore

/// `fmsg draft edit`: some of a draft, by options or in the editor.
enum DraftEditCommand: Command {
    static let text = Operand.optional("TEXT", .text(), "The new text; - reads standard input")
    static let unset = Option.values(
        "unset", .choice(EditableMessage.Flag.self, "FLAG"), "Take a flag off")
    private static let type = Option.value(
        "type", .text("TYPE"), "Media type of the text")
    private static let to = Option.values(
        "to", .text("NAME", kind: .address), "The recipients, in place of the former ones")

    static let declaration = CommandDeclaration(
        "draft edit", group: .write, summary: "Change a draft",
        description: """
            What the line does not name stays as it is, attachments too. When it names nothing, \
            on a terminal, the editor opens (VISUAL, EDITOR) with headings and text; a text that \
            could not be brought to the host is kept in a file, whose path is told.

            The draft is read first, since a host replaces it whole. In a pipe its id is printed.
            """,
        options: [
            SendCommand.topic, MessageOptions.text, MessageOptions.file, to,
            MessageOptions.important, MessageOptions.noReply, MessageOptions.terminal, unset, type,
            MessageOptions.noRedact,
        ],
        operands: [Drafts.id, text],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg draft edit 42", "Opens the editor"),
            Example("fmsg draft edit 42 --topic Plan --unset important", "Two headings"),
            Example("fmsg draft edit 42 -F plan.md", "Another text"),
        ],
        output: """
            {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
            "redactions"}; both times are null.
            """)

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let id = try invocation[Drafts.id]
        let texts = try invocation[text].map { [$0] } ?? []
        let hasText =
            !texts.isEmpty || invocation.isGiven(MessageOptions.text)
            || invocation.isGiven(MessageOptions.file)
        let headings: [any DeclaredOption] = [
            SendCommand.topic, to, MessageOptions.important, MessageOptions.noReply,
            MessageOptions.terminal, unset, type,
        ]
        let hasHeadings = headings.contains { invocation.isGiven($0) }
        guard hasText || hasHeadings || context.mayAsk else {
            throw invocation.usageError(
                "there is nothing to change", hint: "name it by options; an editor needs a terminal"
            )
        }
        let recipients = try MessageOptions.recipients(invocation, in: context)
        let newText =
            hasText
            ? try await MessageOptions.body(invocation, operands: texts, in: context) : nil
        let client = try context.client()
        let draft = try await Drafts.own(id, with: client)
        var message = try await client.content(of: draft)
        if !recipients.isEmpty { message.to = uniqueAddresses(recipients) }
        if let newText { message.text = newText }
        apply(invocation, to: &message)
        let kept: KeptText?
        if hasText || hasHeadings {
            kept = nil
        } else {
            guard let edited = try await Editor.edit(message, in: context) else {
                context.say("draft \(id) was not changed")
                return .done
            }
            (message, kept) = (edited.message, edited.text)
        }
        let (changed, redactions) = MessageOptions.redacted(message, in: context)
        do {
            try await context.interruptible { try await client.replaceDraft(id, with: changed) }
        } catch {
            kept?.tell(in: context)
            throw error
        }
        kept?.discard()
        let after = SentMessage(draftId: id, from: draft.from, message: changed)
        try Outgoing.tell(
            ofDraft: after, Drafts.attachments(of: draft), redactions: redactions,
            verb: "changed", in: context)
        return .done
    }

    private static func apply(_ invocation: Invocation, to message: inout NewMessage) {
        if let topic = invocation[SendCommand.topic] { message.topic = topic }
        if let type = invocation[type] { message.type = type }
        if invocation[MessageOptions.important] { message.isImportant = true }
        if invocation[MessageOptions.noReply] { message.isNoReply = true }
        if invocation[MessageOptions.terminal] { message.isTerminal = true }
        for flag in invocation[unset] {
            switch flag {
            case .important: message.isImportant = false
            case .noReply: message.isNoReply = false
            case .terminal: message.isTerminal = false
            }
        }
    }
}
