import CommandLineTool
import FmsgCore

/// `fmsg download`: the attachments of a message.
enum DownloadCommand: Command {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, or -N for the N-th newest")
    static let names = Operand.repeated(
        "NAME", .text("NAME", kind: .attachmentName),
        "Attachments by name; without any, all of them")
    static let output = Option.value(
        "output", short: "o", .text("PATH", kind: .file),
        "Where to: a file, a folder, or - for standard output")
    static let force = Option.flag("force", short: "f", "Replace a file that is there")

    /// The key that this program adds.
    static let path = "path"

    static let declaration = CommandDeclaration(
        "download", group: .read, summary: "Save the attachments of a message",
        description: """
            Each file is saved under its name in the current folder, in the folder that -o names, \
            or as the file that -o names. A name never leads out of its folder: what would part a \
            path or mislead becomes _, as does a dot or a dash at its beginning, which is said.

            A file gets its name when it is whole; one that is there is replaced only with \
            --force. What came of a broken download is kept in a hidden file beside it, and the \
            same command goes on from there. When some of several fail, the others are saved all \
            the same, each failure is reported, and the exit code is 7.

            In a pipe each file is one line of tab-separated fields: the message's id, the \
            attachment's name, its bytes, and the path.
            """,
        options: [output, force], operands: [reference, names],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [
            Example("fmsg download -1", "All files of the newest message"),
            Example("fmsg download 42 report.pdf -o ~/Documents", "One of them, elsewhere"),
            Example("fmsg download 42 data.tar.gz -o - | tar xz", "Straight into a pipe"),
        ],
        output: #"An array of {"id", "filename", "size", "path"}."#)

    static var keys: [String] { [Field.id, Field.filename, Field.size, path] }

    /// Where an attachment goes.
    private struct Destination {
        let attachment: Attachment
        let path: String
    }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        guard invocation[output] != "-" || !context.wantsJSON else {
            throw invocation.usageError("--json and -o - both want standard output")
        }
        let client = try context.client()
        let message = try await context.message(try invocation[reference], from: client)
        let attachments = try chosen(of: message, try invocation[names])
        if invocation[output] == "-" {
            guard attachments.count == 1 else { throw onlyOne(attachments, invocation) }
            try await Download(attachments[0], of: message, with: client).print(in: context)
            return .done
        }
        return try await save(
            try destinations(of: attachments, invocation, context), of: message, client, invocation,
            context)
    }

    /// What tells the files of one host and user from those of another.
    static func origin(_ client: FmsgClient) async throws -> String {
        "\(client.host.text)\n\(try await client.whoami().address)"
    }

    private static func chosen(
        of message: FmsgMessage, _ names: [String]
    ) throws -> [Attachment] {
        guard !message.attachments.isEmpty else {
            throw CommandFailure(
                "message \(message.id) has no attachments", exitCode: .notFound)
        }
        guard !names.isEmpty else { return message.attachments }
        return try names.map { name in
            let found = message.attachments.first { $0.filename.utf8.elementsEqual(name.utf8) }
            guard let found else {
                let there = message.attachments.map { DisplayText.escape($0.filename) }
                throw CommandFailure(
                    "message \(message.id) has no attachment \"\(DisplayText.escape(name))\"",
                    hint: "there are: \(there.joined(separator: ", "))", exitCode: .notFound)
            }
            return found
        }
    }

    private static func destinations(
        of attachments: [Attachment], _ invocation: Invocation, _ context: CommandContext
    ) throws -> [Destination] {
        let target = invocation[output] ?? "."
        let kind = try context.runtime.files.status(target)?.kind
        guard kind == .folder else {
            guard !target.hasSuffix("/") else {
                let name = DisplayText.escape(target)
                guard kind == nil else { throw CommandFailure("\(name) is no folder") }
                throw CommandFailure(
                    "there is no folder \(name)", hint: "make it first, with mkdir")
            }
            guard attachments.count == 1 else { throw onlyOne(attachments, invocation) }
            return [Destination(attachment: attachments[0], path: target)]
        }
        let folder = target == "." ? "" : target.hasSuffix("/") ? target : target + "/"
        let names = LocalName.unique(attachments.map(\.filename))
        return zip(attachments, names).map { attachment, name in
            if !name.utf8.elementsEqual(attachment.filename.utf8) {
                context.say("\(attachment.filename) is saved as \(name)")
            }
            return Destination(attachment: attachment, path: folder + name)
        }
    }

    private static func onlyOne(
        _ attachments: [Attachment], _ invocation: Invocation
    ) -> UsageError {
        invocation.usageError(
            "there are \(attachments.count) attachments for one place",
            hint: "name one of them, or give a folder with -o")
    }

    private static func save(
        _ destinations: [Destination], of message: FmsgMessage, _ client: FmsgClient,
        _ invocation: Invocation, _ context: CommandContext
    ) async throws -> ExitCode {
        let origin = try await origin(client)
        var saved: [JSONObject] = []
        var failures = 0
        for destination in destinations {
            do {
                let download = Download(destination.attachment, of: message, with: client)
                try await download.save(
                    as: destination.path, replacing: invocation[force], origin: origin, in: context)
                if context.wantsJSON {
                    saved.append(document(destination, message))
                } else {
                    try tell(destination, message, context)
                }
            } catch {
                guard destinations.count > 1, !ErrorReport(error).endsEverything else {
                    throw error
                }
                failures += 1
                context.report(
                    error, of: .id(message.id), filename: destination.attachment.filename)
            }
        }
        if context.wantsJSON { try context.output.write(list: saved) }
        guard failures > 0 else { return .done }
        throw CommandFailure(
            "\(failures) of \(destinations.count) files were not saved",
            exitCode: .someFailed, messageId: message.id)
    }

    private static func document(
        _ destination: Destination, _ message: FmsgMessage
    ) -> JSONObject {
        [
            Field.id: .integer(message.id),
            Field.filename: .string(destination.attachment.filename),
            Field.size: .integer(destination.attachment.size), path: .string(destination.path),
        ]
    }

    private static func tell(
        _ destination: Destination, _ message: FmsgMessage, _ context: CommandContext
    ) throws {
        let attachment = destination.attachment
        if context.isOnTerminal {
            let path = DisplayText.escape(destination.path)
            try context.output.line("saved \(path) (\(ByteCount.text(attachment.size)))")
        } else {
            try context.output.record(
                [
                    String(message.id), attachment.filename, String(attachment.size),
                    destination.path,
                ], flush: true)
        }
    }
}
