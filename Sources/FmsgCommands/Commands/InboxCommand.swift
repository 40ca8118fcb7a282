import CommandLineTool
import FmsgCore

/// `fmsg inbox`: received messages.
enum InboxCommand: Command {
    static let unread = Option.flag("unread", "Only messages that are not read")

    static let declaration = CommandDeclaration(
        "inbox", group: .read, summary: "List received messages, newest first",
        description: """
            Drafts of others are never shown, and reactions only with --reactions. Filters apply \
            before the count: messages are looked at until enough match, 1,000 at most, or all of \
            them with --all.

            The letters between sender and topic are flags: \(MessageFlag.letters).

            In a pipe each message is one line of tab-separated fields: id, time, from, flags, \
            topic, preview. The flags are words parted by commas.
            """,
        options: [
            MessageListing.limit, MessageListing.all, unread, MessageListing.from,
            MessageListing.topic, MessageListing.important, MessageListing.reactions,
            MessageListing.since,
        ],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg inbox --unread", "What is new"),
            Example(
                "fmsg inbox --from @alice@example.com --since 7d", "A week of one sender"),
            Example("fmsg inbox --all --json | jq length", "Count every message"),
        ],
        output: "An array of messages. With --jsonl one message a line, printed page by page.",
        alike: ["list", "ls", "mail", "fetch", "pull"])

    static var keys: [String] { MessageDocument.keys }
    static var columns: [String] { MessageColumn.allCases.map(\.rawValue) }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        var filter = MessageFilter(invocation, now: context.runtime.time.now)
        filter.isUnreadOnly = invocation[unread]
        filter.senders = invocation[MessageListing.from]
        let listing = MessageListing(invocation, route: .inbox, filter: filter)
        return try await listing.print(in: context)
    }
}
