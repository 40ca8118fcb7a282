import CommandLineTool
import FmsgCore

/// `fmsg add-to`: more recipients for a message that was sent.
enum AddToCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "The message: its id, SHA-256, or -N for the N-th newest")
    static let addresses = Operand.repeated("ADDRESS", .address, "Who is added")

    static let declaration = CommandDeclaration(
        "add-to", group: .write, summary: "Add recipients to a message",
        description: """
            The sender and the recipients of a message can add others to it; who was added \
            cannot. Those who are added get the message as it is, and everyone can see who added \
            whom. A terminal message takes none.

            In a pipe the message's id is printed, and the number of the batch where the host \
            gives one.
            """,
        options: [MessageOptions.to], operands: [reference, addresses],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg add-to -1 @dave@example.com", "Let Dave read the newest message"),
            Example("fmsg add-to 42 --to dave --to erin", "Two names of the directory"),
        ],
        output: #"{"id", "added"}, and batch_id and sha256 of the batch on hosts that give them."#)

    static var keys: [String] { [Field.id, Field.added, Field.batchId, Field.sha256] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let reference = try invocation[reference]
        let given = try invocation[addresses].map(\.text)
        let recipients = uniqueAddresses(
            given + (try MessageOptions.recipients(invocation, in: context)))
        guard !recipients.isEmpty else {
            throw invocation.usageError("there is nobody to add", hint: "give @user@domain")
        }
        let client = try context.client()
        let id = try await context.id(of: reference, with: client)
        let receipt = try await client.add(recipients, to: id)
        if context.wantsJSON {
            var object: JSONObject = [
                Field.id: .integer(id), Field.added: .integer(receipt.added),
            ]
            if let batchId = receipt.batchId { object[Field.batchId] = .integer(batchId) }
            if let sha256 = receipt.sha256 { object[Field.sha256] = .string(sha256) }
            try context.output.write(object)
        } else if context.isOnTerminal {
            let names = DisplayText.escape(recipients.joined(separator: ", "))
            try context.output.line("added \(names) to \(id)")
        } else {
            try context.output.record([String(id), receipt.batchId.map { String($0) } ?? ""])
        }
        return .done
    }
}
