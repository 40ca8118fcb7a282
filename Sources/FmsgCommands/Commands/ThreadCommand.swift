import CommandLineTool
import FmsgCore

/// `fmsg thread`: the line of conversation that leads to a message.
enum ThreadCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, or -N for the N-th newest")
    static let reactions = Option.flag(
        "reactions", "Add the reactions, at one request a message")

    static let declaration = CommandDeclaration(
        "thread", group: .read, summary: "Show the conversation that leads to a message",
        description: """
            The line from the root to the message, without sibling branches, every text whole. \
            What you may not see is shown as an id alone.

            In a pipe each message is one line of tab-separated fields: id, time, from, flags, \
            topic, text, and with --reactions the reactions.
            """,
        options: [reactions], operands: [reference],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg thread -1", "The conversation of the newest message"),
            Example("fmsg thread 42 --reactions", "With who reacted how"),
        ],
        output: """
            {"root_id", "trigger_id", "complete", "participants", "reply_target_id", \
            "messages"}; a message that is not visible has only id and visible.
            """)

    static var keys: [String] { ThreadPage.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = try context.client()
        let reference = try await context.resolve(try invocation[reference], with: client)
        var thread = try await client.thread(reference)
        let showsReactions = invocation[reactions]
        if showsReactions { thread = try await client.withReactions(thread) }
        let page = ThreadPage(output: context.output, showsReactions: showsReactions)
        if context.wantsJSON {
            try context.output.write(page.json(thread))
        } else {
            try page.write(thread)
        }
        return .done
    }
}
