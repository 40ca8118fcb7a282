import CommandLineTool
import FmsgCore

/// `fmsg send`: a new message.
enum SendCommand: Command {
    static let words = Operand.repeated(
        "ADDRESS_OR_TEXT", .recipientOrText,
        "Addresses, which begin with @, and one text; - reads it from standard input")
    static let topic = Option.value("topic", short: "t", .text("TEXT"), "The topic of the thread")

    static let declaration = CommandDeclaration(
        "send", group: .write, summary: "Send a message",
        description: """
            What begins with @ is an address or an error, never text. Of the other operands one \
            is the text; - reads it from standard input. Nothing is ever taken for a file's \
            name but with -F.

            A send is settled: when an answer of the host is lost, fmsg looks whether the message \
            went out before it repeats anything, so that it is sent once. Exit code 75 says that \
            it could not find out.

            In a pipe the id of the sent message is printed.
            """,
        options: [topic] + MessageOptions.all, operands: [words],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable, .outcomeUnknown],
        examples: [
            Example("fmsg send @bob@example.com \"Lunch?\" --topic Today", "To one person"),
            Example(
                "date | fmsg send @bob@example.com @carol@example.com -",
                "Standard input, to two"),
            Example(
                "fmsg send @bob@example.com -F report.md --type text/markdown", "A file's text"),
        ],
        output: """
            {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
            "redactions"}, and sha256 on hosts that give it. With --dry-run what would be sent, \
            and "dry_run": true.
            """,
        alike: ["new", "write", "compose", "push", "message"])

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        var recipients: [String] = []
        var texts: [String] = []
        for word in try invocation[words] {
            guard word.hasPrefix("@") else {
                texts.append(word)
                continue
            }
            do {
                recipients.append(try FmsgAddress(word).text)
            } catch {
                throw invocation.usageError(
                    "\(DisplayText.escape(word)): \(error.reason)",
                    hint: "a text that begins with @ goes with -m")
            }
        }
        recipients += try MessageOptions.recipients(invocation, in: context)
        guard !recipients.isEmpty else {
            throw invocation.usageError(
                "there is nobody to send to", hint: "give @user@domain, or a name with --to")
        }
        let body = try await MessageOptions.body(invocation, operands: texts, in: context)
        var message = NewMessage(
            to: uniqueAddresses(recipients), topic: invocation[topic] ?? "", text: body)
        MessageOptions.apply(invocation, to: &message)
        return try await Outgoing.send(message, invocation, with: try context.client(), in: context)
    }
}

extension ValueType where Element == String {
    /// An address or a text: which one, its first character tells. `-1` is a text here.
    static var recipientOrText: Self {
        .text("ADDRESS_OR_TEXT", kind: .recipientOrText)
    }
}
