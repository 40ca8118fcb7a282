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
            is the text; - reads it from standard input. Without any text, on a terminal, the \
            editor opens (VISUAL, EDITOR). Nothing is ever taken for a file's name but with -F \
            and -a.

            A send is settled: when an answer of the host is lost, fmsg looks whether the message \
            went out before it repeats anything, so that it is sent once. Exit code 75 says that \
            it could not find out.

            With --wait it goes on until the message is delivered: one line a recipient, with \
            id, address, state, time, reason and advice. The exit code is then 7 when a recipient \
            failed, and 2 when one was still pending at the end. The message was sent all the same.

            Files that go with it by -a are sent whole or not at all: when one of them cannot be \
            read, changes meanwhile or is refused, nothing is sent.

            In a pipe the id of the sent message is printed.
            """,
        options: [topic] + MessageOptions.all, operands: [words],
        exitCodes: [
            .nothingCame, .notAuthenticated, .refused, .hostUnavailable, .someFailed,
            .outcomeUnknown,
        ],
        examples: [
            Example("fmsg send @bob@example.com \"Lunch?\" --topic Today", "To one person"),
            Example(
                "date | fmsg send @bob@example.com @carol@example.com -",
                "Standard input, to two"),
            Example(
                "fmsg send @bob@example.com -F report.md --type text/markdown", "A file's text"),
            Example(
                "fmsg send @bob@example.com \"The figures.\" -a may.csv -a june.csv",
                "Two files with it"),
        ],
        output: """
            {"id", "time", "time_rfc3339", "from", "to", "topic", "pid", "attachments", \
            "redactions"}, and sha256 on hosts that give it. With --dry-run what would be sent, \
            and "dry_run": true. With --wait the array delivery, as show --delivery prints it.
            """,
        alike: ["new", "write", "compose", "push", "message"])

    static var keys: [String] { Outgoing.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let (recipients, texts) = try parts(try invocation[words], invocation, in: context)
        guard !recipients.isEmpty else {
            throw invocation.usageError(
                "there is nobody to send to", hint: "give @user@domain, or a name with --to")
        }
        let files = try AttachedFiles(invocation[MessageOptions.attach], invocation, in: context)
        let body = try await MessageOptions.body(invocation, operands: texts, in: context)
        var message = NewMessage(to: recipients, topic: invocation[topic] ?? "", text: "")
        MessageOptions.apply(invocation, to: &message)
        let client = try context.client()
        let composed = try await Composed(message, text: body, files: files, in: context)
        return try await Outgoing.send(composed, invocation, with: client, in: context)
    }

    /// The addresses among the words, those of `--to` added, and the rest.
    static func parts(
        _ words: [String], _ invocation: Invocation, in context: CommandContext
    ) throws -> (recipients: [String], texts: [String]) {
        var recipients: [String] = []
        var texts: [String] = []
        for word in words {
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
        return (uniqueAddresses(recipients), texts)
    }
}

extension ValueType where Element == String {
    /// An address or a text: which one, its first character tells. `-1` is a text here.
    static var recipientOrText: Self {
        .text("ADDRESS_OR_TEXT", kind: .recipientOrText)
    }
}
