import CommandLineTool
import FmsgCore

/// `fmsg body`: the body alone, byte by byte.
enum BodyCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, or -N for the N-th newest")

    static let output = Option.value(
        "output", short: "o", .file, "Where to: a file, or - for standard output")

    /// The most that is made one JSON string, in bytes.
    private static let limit: Int64 = 64 << 20

    static let declaration = CommandDeclaration(
        "body", group: .read, summary: "Print or save the body of a message",
        description: """
            The bytes are those of the host, nothing added or left out. On a terminal only text \
            is shown, with its control characters escaped; anything else is refused.

            With -o the file gets its name when it is whole; one that is there is replaced only \
            with --force. What came of a broken download is kept in a hidden file beside it, and \
            the same command goes on from there.
            """,
        options: [output, DownloadCommand.force], operands: [reference],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg body -1 | less", "The newest message's text"),
            Example("fmsg body 42 -o report.md", "Into a file"),
        ],
        output: """
            {"id", "type", "size", "text"} of a body that is UTF-8; with -o FILE \
            {"id", "type", "size", "path"}.
            """)

    static var keys: [String] {
        [Field.id, Field.type, Field.size, Field.text, DownloadCommand.path]
    }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let path = invocation[output].flatMap { $0 == "-" ? nil : $0 }
        let client = try context.client()
        let message = try await context.message(try invocation[reference], from: client)
        let download = Download(bodyOf: message, with: client)
        var document: JSONObject = [
            Field.id: .integer(message.id), Field.type: .string(message.type),
            Field.size: .integer(message.size),
        ]
        if let path {
            try await download.save(
                as: path, replacing: invocation[DownloadCommand.force],
                origin: try await DownloadCommand.origin(client), in: context)
            document[DownloadCommand.path] = .string(path)
            if context.wantsJSON {
                try context.output.write(document)
            } else if context.isOnTerminal {
                try context.output.line(
                    "saved \(DisplayText.escape(path)) (\(ByteCount.text(message.size)))")
            } else {
                try context.output.record([String(message.id), String(message.size), path])
            }
        } else if context.wantsJSON {
            guard message.size <= limit else {
                throw CommandFailure(
                    "the body of message \(message.id) is too long for JSON: "
                        + ByteCount.text(message.size),
                    hint: "save it with -o FILE")
            }
            guard let text = String(validating: try await client.body(of: message), as: UTF8.self)
            else {
                throw CommandFailure(
                    "the body of message \(message.id) is no text that JSON can hold",
                    hint: "save it with -o FILE")
            }
            document[Field.text] = .string(text)
            try context.output.write(document)
        } else {
            try await download.print(in: context)
        }
        return .done
    }
}
