import CommandLineTool
import FmsgCore

/// `fmsg watch`: what happens, as it happens.
enum WatchCommand: Command {
    static let events = Option.value(
        "events", .names("TYPES", kind: .names(Watch.allTypes + ["all"])),
        "Which to print: new_msg, delivered, recipients_added, reaction, or all")
    static let from = Option.values("from", .address, "Only from this sender")
    static let thread = Option.value(
        "thread", .messageReference, "Only what belongs to the thread of this message")
    static let unread = Option.flag("unread", "First print what is unread already")
    static let once = Option.flag("once", "End after the first event")
    static let timeout = Option.value(
        "timeout", .seconds, "End after so long; exit code 2 when nothing came")
    static let heartbeat = Option.value(
        "heartbeat", .seconds, standard: 45, "How often the host pings; twice that is too long")
    static let poll = Option.value(
        "poll", .seconds, standard: 300, "How often the inbox is read again, for late additions")
    static let lookBack = Option.value(
        "look-back", .integer(1...100_000), standard: 1000, "How many messages a catch-up reads")
    static let exec = Option.value(
        "exec", .shellCommand, "Run this for each event, with the event on its stdin")
    static let jobs = Option.value(
        "jobs", .integer(1...64), standard: 1, "How many commands may run at once")

    static let declaration = CommandDeclaration(
        "watch", group: .live, summary: "Print messages as they arrive",
        description: """
            It connects, reads the inbox to know what is there already, says that it is ready, and \
            prints every message that comes after, each once. A lost connection is made again, \
            after a pause of one second that doubles up to a minute, and what came meanwhile is \
            printed then. It ends only when it is told to, or when the host refuses the \
            credentials.

            In a pipe each message is one line of tab-separated fields: id, time, from, flags, \
            topic, preview. With --events the type of the event comes first.

            A command given with --exec gets the event as one line of JSON on its standard input, \
            the body whole, and FMSG_EVENT, FMSG_MESSAGE_ID, FMSG_FROM and FMSG_TOPIC in its \
            environment, but no credentials. What it prints goes to stderr. Commands run one after \
            the other in the order of the events unless --jobs allows more; one that fails is \
            reported and stops nothing.
            """,
        options: [
            events, from, thread, unread, once, timeout, heartbeat, poll, lookBack, exec, jobs,
        ],
        exitCodes: [
            .nothingCame, .notFound, .notAuthenticated, .refused, .hostUnavailable, .interrupted,
        ],
        examples: [
            Example("fmsg watch --json | jq -r 'select(.type==\"new_msg\").data.topic'", "Topics"),
            Example("fmsg watch --once --timeout 60", "Wait a minute for a message"),
            Example("fmsg watch --exec 'jq -r .data.body.text >> log.txt'", "Keep every text"),
        ],
        output: """
            One object a line: {"type":"ready"} after each catch-up, \
            {"type":"new_msg","data":{message}} and the other events in the same shape, and \
            {"type":"disconnected","reason","retry_in"}.
            """,
        alike: ["tail", "follow", "listen"], endlessUnless: [once, timeout])

    /// The shortest period that is taken, in seconds: a host is not to be hammered.
    private static let shortestPeriod = 0.1

    static var keys: [String] { [Field.type, Field.data, Watch.reason, Watch.retryIn] }
    static var columns: [String] { MessageColumn.allCases.map(\.rawValue) }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let options = EventOptions(
            initial: invocation[unread] ? .unread : .nothing, lookBack: invocation[lookBack],
            pollPeriod: max(shortestPeriod, invocation[poll]),
            pingPeriod: max(shortestPeriod, invocation[heartbeat]))
        let client = try context.client()
        let limit = invocation[timeout]
        return try await context.interruptible {
            let watch = try await Watch(invocation, client: client, options: options, in: context)
            guard let limit else { return try await watch.run() }
            return try await watch.run(for: limit)
        }
    }
}
