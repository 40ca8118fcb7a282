import CommandLineTool
import FmsgCore

/// `fmsg draft attach`: files to a draft.
enum DraftAttachCommand: Command {
    private static let files = Operand.repeated("FILE", .file, minimum: 1, "What to attach")

    static let declaration = CommandDeclaration(
        "draft attach", group: .write, summary: "Attach files to a draft",
        description: """
            One that is attached under the same name is replaced. When some of several fail, the \
            others are attached all the same, each failure is reported, and the exit code is 7.

            In a pipe each file is one line of tab-separated fields: the draft's id, the name, \
            and its bytes.
            """,
        operands: [Drafts.id, files],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [Example("fmsg draft attach 42 may.csv june.csv", "Two files")],
        output: #"An array of {"id", "filename", "size"}."#)

    static var keys: [String] { [Field.id, Field.filename, Field.size] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let id = try invocation[Drafts.id]
        let files = try AttachedFiles(try invocation[files], invocation, in: context)
        defer { files.endMeters() }
        let client = try context.client()
        _ = try await Drafts.own(id, with: client)
        return try await DraftFiles.change(
            files.attachments, of: id, named: \.filename, verb: "attached", in: context
        ) { file in
            let attachment = try await client.attachSettled(file, to: id)
            return [
                Field.id: .integer(id), Field.filename: .string(attachment.filename),
                Field.size: .integer(attachment.size),
            ]
        }
    }
}

/// `fmsg draft detach`: files off a draft.
enum DraftDetachCommand: Command {
    private static let names = Operand.repeated(
        "NAME", .attachmentName, minimum: 1, "The names of the attachments")

    static let declaration = CommandDeclaration(
        "draft detach", group: .write, summary: "Take files off a draft",
        description: """
            When some of several fail, the others are taken off all the same, each failure is \
            reported, and the exit code is 7.

            In a pipe each file is one line of tab-separated fields: the draft's id and the name.
            """,
        operands: [Drafts.id, names],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable, .someFailed],
        examples: [Example("fmsg draft detach 42 may.csv", "One file")],
        output: #"An array of {"id", "filename"}."#)

    static var keys: [String] { [Field.id, Field.filename] }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let id = try invocation[Drafts.id]
        let names = try invocation[names]
        let client = try context.client()
        return try await DraftFiles.change(
            names, of: id, named: \.self, verb: "detached", in: context
        ) { name in
            try await client.detach(name, from: id)
            return [Field.id: .integer(id), Field.filename: .string(name)]
        }
    }
}

/// What the two have in common.
private enum DraftFiles {
    /// Does one thing for each file, one after the other, and prints each.
    static func change<Item: Sendable>(
        _ items: [Item], of id: Int64, named name: KeyPath<Item, String> & Sendable, verb: String,
        in context: CommandContext,
        _ operation: @escaping @Sendable (Item) async throws -> JSONObject
    ) async throws -> ExitCode {
        var done: [JSONObject] = []
        var failures = 0
        for item in items {
            do {
                let document = try await context.interruptible { try await operation(item) }
                done.append(document)
                guard !context.wantsJSON else { continue }
                if context.isOnTerminal {
                    try context.output.line("\(verb) \(DisplayText.escape(item[keyPath: name]))")
                } else {
                    try context.output.record(
                        document.fields.map { $0.value.string ?? $0.value.text }, flush: true)
                }
            } catch {
                guard items.count > 1, !ErrorReport(error).endsEverything else { throw error }
                failures += 1
                context.report(error, of: .id(id), filename: item[keyPath: name])
            }
        }
        if context.wantsJSON { try context.output.write(list: done) }
        guard failures > 0 else { return .done }
        throw CommandFailure(
            "\(failures) of \(items.count) files were not \(verb)", exitCode: .someFailed,
            messageId: id)
    }
}
