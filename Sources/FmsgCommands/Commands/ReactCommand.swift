import CommandLineTool
import FmsgCore

/// `fmsg react`: an emoji on a message.
enum ReactCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, or -N for the N-th newest")
    static let emoji = Operand.optional("EMOJI", .text("EMOJI"), "One emoji")
    private static let reactionId = "reaction_id"
    static let clear = Option.flag("clear", "Take your reaction back")

    static let declaration = CommandDeclaration(
        "react", group: .write, summary: "React to a message with an emoji",
        description: "Another emoji takes the place of your former one.",
        options: [clear], operands: [reference, emoji],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg react -1 👍", "React to the newest message"),
            Example("fmsg react 42 --clear", "Take it back"),
        ],
        output: #"{"id", "emoji", "reaction_id"}; reaction_id is null when nothing was cleared."#)

    static var keys: [String] { [Field.id, Field.emoji, reactionId] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let emoji = try invocation[emoji]
        let isClearing = invocation[clear]
        guard isClearing != (emoji?.isEmpty == false) else {
            throw invocation.usageError("give one emoji, or --clear")
        }
        let client = try context.client()
        let id = try await context.id(of: try invocation[reference], with: client)
        let receipt =
            isClearing
            ? try await client.clearReaction(on: id)
            : try await client.react(to: id, with: emoji ?? "")
        let reactionId = receipt.reactionId.map { JSON.integer($0) }
        if context.wantsJSON {
            try context.output.write([
                Field.id: .integer(id), Field.emoji: .string(receipt.emoji),
                Self.reactionId: reactionId ?? .null,
            ])
        } else if context.isOnTerminal {
            try context.output.line(
                isClearing
                    ? "cleared on \(id)" : "\(DisplayText.escape(receipt.emoji)) on \(id)")
        } else {
            try context.output.record([receipt.reactionId.map { String($0) } ?? ""])
        }
        return .done
    }
}
