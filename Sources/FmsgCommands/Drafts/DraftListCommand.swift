import CommandLineTool
import FmsgCore

/// `fmsg draft list`: the drafts of one's own.
enum DraftListCommand: Command {
    static let declaration = CommandDeclaration(
        "draft list", group: .write, summary: "List your drafts, newest first",
        description: """
            Hosts keep drafts among the sent messages: 1,000 of those are looked at, or all of \
            them with --all.

            In a pipe each draft is one line of tab-separated fields: id, time (empty), to, flags, \
            topic, preview.
            """,
        options: [MessageListing.limit, MessageListing.all, MessageListing.topic],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg draft list", "What is not sent yet"),
            Example("fmsg draft list --all | cut -f1 | xargs -r fmsg draft delete", "Away with it"),
        ],
        output: "An array of messages. With --jsonl one message a line, printed page by page.")

    static var keys: [String] { MessageDocument.keys }
    static var columns: [String] { MessageColumn.allCases.map(\.rawValue) }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        var filter = MessageFilter(invocation, now: context.runtime.time.now)
        filter.showsDrafts = true
        filter.isDraftsOnly = true
        let listing = MessageListing(invocation, route: .sent, filter: filter)
        return try await listing.print(in: context)
    }
}
