import CommandLineTool
import FmsgCore

/// `fmsg show`: messages in full, or where they stand with their recipients.
enum ShowCommand: Command {
    static let delivery = Option.flag(
        "delivery", "Show where it stands with each recipient instead of the text")

    static let declaration = CommandDeclaration(
        "show", group: .read, summary: "Show messages in full",
        description: """
            The body is fetched whole where the preview does not hold all of it. A body that is \
            no text is named, not shown. Several messages are fetched at once; when some fail, \
            the others are shown all the same, each failure is reported, and the exit code is 7.

            With --delivery each recipient is delivered, pending, or failed, with the reason and \
            what can be done about it; the exit code is 7 when one failed.

            In a pipe each field is one line: its name, a tab, its value. With --delivery each \
            recipient is one: the message's id, address, state, time, reason and advice.
            """,
        options: [delivery], operands: [References.operand],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [
            Example("fmsg show -1", "The newest message"),
            Example("fmsg show 42 --json | jq -r .body.text", "The text alone"),
            Example("fmsg show 42 --delivery", "Whom it has reached"),
        ],
        output: """
            A message for one operand, an array for several. The body is an object with type, \
            size and text. With --delivery there is no body, but an array delivery of \
            {"addr", "state", "time_delivered", "response_code", "meaning", "advice"}.
            """,
        alike: ["read", "cat", "view"])

    static var keys: [String] { MessageDocument.keys + [DeliveryPage.delivery] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        try await context.paged { try await print(invocation, in: $0) }
    }

    private static func print(
        _ invocation: Invocation, in context: CommandContext
    ) async throws -> ExitCode {
        let words = try invocation[References.operand]
        let client = try context.client()
        let references = try await References.resolved(invocation, with: client, in: context)
        let isOne = words.count == 1 && words != [.standardInput]
        guard invocation[delivery] else {
            return try await show(references, asOne: isOne, with: client, in: context) {
                (message) throws(FmsgError) in try await client.withBody(message)
            }
        }
        let (messages, outcomes) = await fetch(references, with: client) {
            (message) throws(FmsgError) in
            guard !message.isDraft else {
                throw .invalid("message \(message.id) is a draft: it was never sent")
            }
            return message
        }
        if context.wantsJSON {
            try write(messages, asOne: isOne, in: context) {
                $0[DeliveryPage.delivery] = DeliveryPage.json($1)
            }
        } else {
            try writeDelivery(of: messages, in: context)
        }
        try Several.check(outcomes, of: references, verb: "shown", in: context)
        let failures = messages.compactMap { DeliveryPage.failure(of: $0) }
        for failure in failures.dropLast() { context.report(failure) }
        if let last = failures.last { throw last }
        return .done
    }

    /// Shows messages in full, and reports those that fail.
    /// - Parameters:
    ///   - isOne: whether `--json` prints an object.
    ///   - complete: refuses what was fetched, or adds the body.
    static func show(
        _ references: [MessageReference], asOne isOne: Bool, with client: FmsgClient,
        in context: CommandContext,
        complete: @escaping @Sendable (FmsgMessage) async throws(FmsgError) -> FmsgMessage
    ) async throws -> ExitCode {
        let (messages, outcomes) = await fetch(references, with: client, complete: complete)
        if context.wantsJSON {
            try write(messages, asOne: isOne, in: context)
        } else {
            let page = MessagePage(output: context.output, me: try await client.whoami().address)
            for (index, message) in messages.enumerated() {
                if index > 0 { try context.output.line("") }
                try page.write(message)
            }
        }
        try Several.check(outcomes, of: references, verb: "shown", in: context)
        return .done
    }

    private static func fetch(
        _ references: [MessageReference], with client: FmsgClient,
        complete: @escaping @Sendable (FmsgMessage) async throws(FmsgError) -> FmsgMessage
    ) async -> (messages: [FmsgMessage], outcomes: [Result<FmsgMessage, FmsgError>]) {
        let outcomes = await Several.perform(references) { (reference) throws(FmsgError) in
            try await complete(try await client.message(reference))
        }
        return (outcomes.compactMap { try? $0.get() }, outcomes)
    }

    private static func write(
        _ messages: [FmsgMessage], asOne isOne: Bool, in context: CommandContext,
        adding: (inout JSONObject, FmsgMessage) -> Void = { _, _ in }
    ) throws(OutputError) {
        let documents = messages.map { message in
            var document = MessageDocument.object(message)
            adding(&document, message)
            return document
        }
        if !isOne {
            try context.output.write(list: documents)
        } else if let only = documents.first {
            try context.output.write(only)
        }
    }

    private static func writeDelivery(
        of messages: [FmsgMessage], in context: CommandContext
    ) throws {
        let page = DeliveryPage(output: context.output)
        for (index, message) in messages.enumerated() {
            if context.isOnTerminal, messages.count > 1 {
                try context.output.line("\(index > 0 ? "\n" : "")message \(message.id)")
            }
            try page.write(message)
        }
    }
}
