import CommandLineTool
import FmsgCore

/// `fmsg thread`: the line of conversation that leads to a message.
enum ThreadCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, or -N for the N-th newest")
    static let reactions = Option.flag(
        "reactions", "Add the reactions, at one request a message")
    static let turns = Option.flag(
        "turns", "Print the turns as JSON, as the chat API of a language model takes them")

    static let tree = Option.flag(
        "tree", "Show every branch that your inbox and sent list know, a line a message")

    static let declaration = CommandDeclaration(
        "thread", group: .read, summary: "Show the conversation that leads to a message",
        description: """
            The line from the root to the message, without sibling branches, every text whole. \
            What you may not see is shown as an id alone.

            In a pipe each message is one line of tab-separated fields: id, time, from, flags, \
            topic, text, and with --reactions the reactions.

            With --tree the whole thread is shown, each message on one line, branches below the \
            message that they begin at. In a pipe the parent's id comes after the id.

            With --turns your own messages are the assistant's, all others the user's, each after \
            its sender's address and a colon. A text can imitate such an address: whoever must be \
            sure reads the messages themselves.
            """,
        options: [reactions, turns, tree], operands: [reference],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg thread -1", "The conversation of the newest message"),
            Example("fmsg thread -1 --tree", "All of its branches"),
            Example("fmsg thread 42 --reactions", "With who reacted how"),
            Example("fmsg thread -1 --turns | jq length", "How many turns a model would get"),
        ],
        output: """
            {"root_id", "trigger_id", "complete", "participants", "reply_target_id", \
            "messages"}; a message that is not visible has only id and visible. \
            With --tree messages holds all branches, each message before its replies, with its pid \
            and without participants, reply_target_id and bodies. With --turns an array of {"role", "content"}.
            """,
        alike: ["log", "history", "conversation"])

    static var keys: [String] { ThreadPage.keys + Turn.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        try await context.paged { try await show(invocation, in: $0) }
    }

    private static func show(
        _ invocation: Invocation, in context: CommandContext
    ) async throws -> ExitCode {
        let client = try context.client()
        let reference = try await context.resolve(try invocation[reference], with: client)
        if invocation[tree] { return try await showTree(reference, client, in: context) }
        var thread = try await client.thread(reference)
        if invocation[turns] {
            let turns = thread.turns(for: try await client.whoami().address)
            try context.output.write(list: turns.map(\.document))
            return .done
        }
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

    private static func showTree(
        _ reference: MessageReference, _ client: FmsgClient, in context: CommandContext
    ) async throws -> ExitCode {
        for option in [reactions, turns] where context.invocation[option] {
            throw context.invocation.usageError(
                "\(tree.declaration.flag) and \(option.declaration.flag) exclude each other")
        }
        let tree = try await client.threadTree(reference)
        try await ThreadTreePage.print(tree, marked: tree.triggerId, with: client, in: context)
        return .done
    }
}
