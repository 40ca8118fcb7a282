import CommandLineTool
import FmsgCore

/// `fmsg mark-read`: several at once, over kept connections.
enum MarkReadCommand: Command {
    static let references = Operand.repeated(
        "REF", .messageReference, minimum: 1, "Messages: ids, SHA-256, or -N for the N-th newest")

    private static let timeReadRFC3339 = "time_read_rfc3339"

    /// How many requests are under way at once.
    private static let width = 8

    static let declaration = CommandDeclaration(
        "mark-read", group: .write, summary: "Mark messages read",
        description: """
            Marking one again is harmless: the first time stands. When some of several fail, the \
            others are marked all the same, each failure is reported, and the exit code is 7.
            """,
        operands: [references],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [
            Example("fmsg mark-read -1", "The newest message"),
            Example(
                "fmsg inbox --unread --all | cut -f1 | xargs -r fmsg mark-read",
                "All that is unread"),
        ],
        output: #"An array of {"id", "time_read", "time_read_rfc3339"}."#)

    static var keys: [String] { [Field.id, Field.timeRead, timeReadRFC3339] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = try context.client()
        var ids: [Int64] = []
        for reference in try invocation[references] {
            ids.append(try await context.id(of: reference, with: client))
        }
        let outcomes = await mark(ids, with: client)
        let receipts = outcomes.compactMap { try? $0.get() }
        context.note(.markedRead(receipts.map(\.id)))
        try write(receipts, in: context)
        let failures = zip(ids, outcomes).compactMap { id, outcome -> (Int64, FmsgError)? in
            if case .failure(let error) = outcome { (id, error) } else { nil }
        }
        guard let (_, first) = failures.first else { return .done }
        if ids.count == 1 { throw first }
        for (id, error) in failures { context.report(error, of: id) }
        let isOneKind =
            failures.count == ids.count && Set(failures.map { $0.1.category }).count == 1
        throw CommandFailure(
            "\(failures.count) of \(ids.count) were not marked",
            exitCode: isOneKind ? ErrorReport(first).exitCode : .someFailed)
    }

    /// The outcome for each id, in the order of the ids.
    private static func mark(
        _ ids: [Int64], with client: FmsgClient
    ) async -> [Result<ReadReceipt, FmsgError>] {
        await withTaskGroup(of: (Int, Result<ReadReceipt, FmsgError>).self) { group in
            var outcomes = ids.map { _ in Result<ReadReceipt, FmsgError>.failure(.cancelled) }
            var next = 0
            func startOne() {
                guard next < ids.count else { return }
                let index = next
                next += 1
                group.addTask {
                    // Not in one expression with the index: Swift 6.3 loses it there under -O.
                    let outcome: Result<ReadReceipt, FmsgError>
                    do throws(FmsgError) {
                        outcome = .success(try await client.markRead(ids[index]))
                    } catch {
                        outcome = .failure(error)
                    }
                    return (index, outcome)
                }
            }
            for _ in 0..<width { startOne() }
            for await (index, outcome) in group {
                outcomes[index] = outcome
                startOne()
            }
            return outcomes
        }
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
