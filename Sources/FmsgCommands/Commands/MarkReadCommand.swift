import CommandLineTool
import FmsgCore

/// `fmsg mark-read`: several at once, over kept connections.
enum MarkReadCommand: Command {
    static let all = Option.flag("all", "Everything in the inbox that is unread")

    private static let timeReadRFC3339 = "time_read_rfc3339"

    static let declaration = CommandDeclaration(
        "mark-read", group: .write, summary: "Mark messages read",
        description: """
            Marking one again is harmless: the first time stands. With - the messages are read \
            from standard input, one a line, of which the first word counts. When some of several \
            fail, the others are marked all the same, each failure is reported, and the exit code \
            is 7.
            """,
        options: [all], operands: [References.optional],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [
            Example("fmsg mark-read -1", "The newest message"),
            Example(
                "fmsg inbox --unread --all --topic Build | fmsg mark-read -",
                "What a list shows"),
            Example("fmsg mark-read --all", "All that is unread"),
        ],
        output: #"An array of {"id", "time_read", "time_read_rfc3339"}."#)

    static var keys: [String] { [Field.id, Field.timeRead, timeReadRFC3339] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        guard try invocation[References.optional].isEmpty == invocation[all] else {
            throw invocation.usageError("name messages, or give --all")
        }
        let client = try context.client()
        let references =
            invocation[all]
            ? try await unread(with: client)
            : try await References.resolved(invocation, with: client, in: context)
        let outcomes = await Several.perform(references) { (reference) throws(FmsgError) in
            try await client.markRead(try await client.id(of: reference))
        }
        let receipts = outcomes.compactMap { try? $0.get() }
        context.note(.markedRead(receipts.map(\.id)))
        try write(receipts, in: context)
        try Several.check(outcomes, of: references, verb: "marked", in: context)
        return .done
    }

    /// All that is unread, reactions too, which nobody reads by themselves.
    private static func unread(
        with client: FmsgClient
    ) async throws(FmsgError) -> [MessageReference] {
        var unread: [MessageReference] = []
        var walk = PageWalk()
        while !walk.isAtEnd {
            let page = try await client.inbox(
                limit: FmsgClient.maximumPage, offset: walk.offset)
            unread += walk.take(page, limit: FmsgClient.maximumPage)
                .filter { !$0.isDraft && !$0.isRead }.map { .id($0.id) }
        }
        return unread
    }

    private static func write(_ receipts: [ReadReceipt], in context: CommandContext) throws {
        let output = context.output
        if context.wantsJSON {
            return try output.write(
                list: receipts.map { receipt in
                    [
                        Field.id: .integer(receipt.id),
                        Field.timeRead: receipt.timeRead.map(JSON.double) ?? .null,
                        Self.timeReadRFC3339: MessageDocument.rfc3339(receipt.timeRead),
                    ]
                })
        }
        for receipt in receipts {
            if context.isOnTerminal {
                try output.line("\(receipt.id) read")
            } else {
                let time = receipt.timeRead.flatMap(TimeText.rfc3339) ?? ""
                try output.record([String(receipt.id), time])
            }
        }
    }
}
