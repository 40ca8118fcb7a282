import CommandLineTool
import FmsgCore

/// The user's editor (`VISUAL`, `EDITOR`), in which a message is written.
enum Editor {
    private static let standard = "vi"

    /// The most that is read of what it leaves, in bytes.
    private static let limit = 64 << 20

    /// A message that was edited, and the file that keeps its text until it has arrived.
    struct Edited: Sendable {
        let message: NewMessage
        let text: KeptText
    }

    /// Lets the user edit a message.
    /// - Returns: nil when nothing was changed.
    /// - Throws: ``CommandFailure`` when the editor fails or what it leaves is no message; the text
    ///   is kept then, and said where.
    static func edit(
        _ message: NewMessage, in context: CommandContext
    ) async throws -> Edited? {
        let original = EditableMessage(message)
        let kept = try KeptText(original.document, in: context)
        do {
            try await run(on: kept.path, in: context)
            let edited = try read(kept, original)
            guard edited != original else {
                kept.discard()
                return nil
            }
            // From here on it is the text alone that is kept, for -F.
            try kept.replace(with: edited.text)
            return Edited(message: edited.applied(to: message), text: kept)
        } catch {
            let isUntouched =
                (try? kept.read(limit: limit)) == Array(original.document.utf8)
            if isUntouched { kept.discard() } else { kept.tell(isPlain: false, in: context) }
            throw error
        }
    }

    private static func read(
        _ kept: KeptText, _ original: EditableMessage
    ) throws -> EditableMessage {
        guard let document = String(validating: try kept.read(limit: limit), as: UTF8.self) else {
            throw CommandFailure("what the editor left is not UTF-8 text", exitCode: .usage)
        }
        do {
            return try EditableMessage(document, original: original)
        } catch {
            throw CommandFailure("line \(error.line): \(error.reason)", exitCode: .usage)
        }
    }

    private static func run(on path: String, in context: CommandContext) async throws {
        let environment = context.runtime.environment
        let editor = environment.first(of: "VISUAL", "EDITOR") ?? standard
        // Its own words may hold options; the path is never among them. The data of this program
        // must not be mixed with what an editor draws.
        let redirection = context.isOnTerminal ? "" : " >&2"
        let status = try await context.runtime.processes.runOnTerminal(
            "/bin/sh", ["-c", "\(editor) \"$@\"\(redirection)", editor, path],
            environment: environment)
        guard status != 127 else {
            throw CommandFailure(
                "the editor was not found: \(DisplayText.escape(editor))",
                hint: "set VISUAL or EDITOR, or give the text with -m or -F")
        }
        guard status == 0 else {
            throw CommandFailure("the editor ended with exit status \(status)")
        }
    }
}
