// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore

/// `save`: the open message's body goes to a file.
enum SaveCommand: SessionCommand {
    static let file = Operand.required("FILE", .file, "The file to write")
    static let force = Option.flag("force", short: "f", "Replace a file that is there")

    static let declaration = CommandDeclaration(
        "save", group: .read, summary: "Save the open message's text to a file",
        description: """
            The body is written as its bytes are, whole or not at all, to a file that only you can \
            read.
            """,
        options: [force], operands: [file],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [Example("fmsg repl -c 'open -1; save report.md'", "The newest message's text")])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        guard let open = session.store.read(\.open) else {
            throw CommandFailure(
                "no message is open", hint: "open one: open REF", exitCode: .usage)
        }
        let path = try invocation[file]
        let files = context.runtime.files
        guard try files.status(path)?.kind != .folder else {
            throw CommandFailure(
                "\(DisplayText.escape(path)) is a folder", hint: "give the name of a file in it")
        }
        guard try invocation[force] || files.status(path) == nil else {
            throw CommandFailure(
                "\(DisplayText.escape(path)) is there already", hint: "--force replaces it")
        }
        let bytes = try await context.client().body(of: open.message)
        try files.writeAtomically(path, bytes, mode: 0o600)
        context.say("\(bytes.count) bytes are in \(path)")
        return .done
    }
}
