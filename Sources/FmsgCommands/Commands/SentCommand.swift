import CommandLineTool
import FmsgCore

/// `fmsg sent`: messages of one's own.
enum SentCommand: Command {
    static let drafts = Option.flag("drafts", "Show drafts, too")

    static let declaration = CommandDeclaration(
        "sent", group: .read, summary: "List the messages that you sent, newest first",
        description: """
            Drafts are shown with --drafts, reactions with --reactions. The flag "pending" tells \
            that a recipient has not got the message yet, "failed" that one never will.

            The letters between recipient and topic are flags: \(MessageFlag.letters).

            In a pipe each message is one line of tab-separated fields: id, time, to, flags, \
            topic, preview.
            """,
        options: [
            MessageListing.limit, MessageListing.all, drafts, MessageListing.topic,
            MessageListing.important, MessageListing.reactions, MessageListing.since,
        ],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg sent -n 5", "The last five"),
            Example("fmsg sent --json | jq '.[0].to_delivery'", "Whom the last one reached"),
        ],
        output: "An array of messages. With --jsonl one message a line, printed page by page.")

    static var keys: [String] { MessageDocument.keys }
    static var columns: [String] { MessageColumn.allCases.map(\.rawValue) }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        var filter = MessageFilter(invocation, now: context.runtime.time.now)
        filter.showsDrafts = invocation[drafts]
        let listing = MessageListing(invocation, route: .sent, filter: filter)
        return try await listing.print(in: context)
    }
}
