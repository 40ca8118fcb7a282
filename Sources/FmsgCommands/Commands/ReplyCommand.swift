import CommandLineTool
import FmsgCore

/// `fmsg reply`: to the sender of a message.
enum ReplyCommand: Command {
    static let declaration = Reply.declaration(
        "reply", summary: "Reply to the sender of a message",
        whom: "The reply goes to the sender; of a message of your own, to its recipients.",
        example: Example("fmsg reply -1 \"Gladly.\"", "Answer the newest message"))

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        try await Reply.run(invocation, in: context) { parent, identity in
            parent.replyRecipients(for: identity.address)
        }
    }
}

/// `fmsg reply-all`: to everyone who takes part in a message.
enum ReplyAllCommand: Command {
    static let declaration = Reply.declaration(
        "reply-all", summary: "Reply to everyone who takes part in a message",
        whom: """
            The reply goes to the sender, the recipients, those who were added, and your owner \
            where the message has reached the owner's domain; never to yourself.
            """,
        example: Example("fmsg reply-all 42 -F answer.txt", "Answer all with a file's text"))

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        try await Reply.run(invocation, in: context) { parent, identity in
            parent.replyAllRecipients(for: identity.address, owner: identity.owner)
        }
    }
}

/// What the two have in common.
enum Reply {
    static let reference = Operand.required(
        "REF", .messageReference, "The message: its id, SHA-256, or -N for the N-th newest")
    static let text = Operand.optional(
        "TEXT", .text(), "The text; - reads it from standard input")
    static let allowNoReply = Option.flag(
        "allow-no-reply", "Reply although the sender discards replies")

    static func declaration(
        _ name: String, summary: String, whom: String, example: Example
    ) -> CommandDeclaration {
        CommandDeclaration(
            name, group: .write, summary: summary,
            description: """
                \(whom) A terminal message takes no reply; one whose sender discards replies only \
                with --allow-no-reply. Both are refused before anything is sent.

                Without any text, on a terminal, the editor opens (VISUAL, EDITOR). Like any send \
                a reply is settled, see "fmsg help send". In a pipe the id of the \
                sent message is printed.
                """,
            options: MessageOptions.all + [allowNoReply], operands: [reference, text],
            exitCodes: [
                .nothingCame, .notFound, .notAuthenticated, .refused, .hostUnavailable,
                .someFailed, .outcomeUnknown,
            ],
            examples: [example],
            output: """
                {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
                "redactions"}, and sha256 on hosts that give it.
                """)
    }

    static func run(
        _ invocation: Invocation, in context: CommandContext,
        recipients: (FmsgMessage, Identity) -> [String]
    ) async throws -> ExitCode {
        let texts = try invocation[text].map { [$0] } ?? []
        let reference = try invocation[reference]
        let others = try MessageOptions.recipients(invocation, in: context)
        let files = try AttachedFiles(invocation[MessageOptions.attach], invocation, in: context)
        let client = try context.client()
        let body = try await MessageOptions.body(invocation, operands: texts, in: context)
        let parent = try await context.message(reference, from: client)
        if parent.isNoReply, !parent.isTerminal, !invocation[allowNoReply] {
            throw invocation.usageError(
                "the sender of message \(parent.id) discards replies (no-reply)",
                hint: "\(allowNoReply.declaration.flag) sends one all the same")
        }
        try FmsgClient.checkAcceptsReplies(parent, allowNoReply: invocation[allowNoReply])
        let identity = try await client.whoami()
        var message = NewMessage(
            to: uniqueAddresses(recipients(parent, identity) + others),
            parent: parent.parentReference(for: identity.address), text: "")
        MessageOptions.apply(invocation, to: &message)
        let composed = try await Composed(message, text: body, files: files, in: context)
        return try await Outgoing.send(composed, invocation, with: client, in: context)
    }
}
