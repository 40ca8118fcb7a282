import CommandLineTool
import FmsgCore

/// A message with all that goes with it.
struct Composed: Sendable {
    let message: NewMessage
    let files: AttachedFiles
    /// Where its text is kept until it has arrived, when it was written in the editor.
    let text: KeptText?
    /// How many secrets were replaced in it.
    let redactions: Int

    /// - Parameters:
    ///   - message: all but the text.
    ///   - text: nil to let the user write it, and change the headings.
    init(
        _ message: NewMessage, text: String?, files: AttachedFiles, in context: CommandContext
    ) async throws {
        self.files = files
        guard text == nil else {
            var message = message
            message.text = text ?? ""
            (self.message, redactions) = MessageOptions.redacted(message, in: context)
            self.text = nil
            return
        }
        let edited = try await Editor.edit(message, in: context)
        guard let edited, !edited.message.text.allSatisfy(\.isWhitespace) else {
            edited?.text.discard()
            throw CommandFailure("nothing was done: there is no text")
        }
        (self.message, redactions) = MessageOptions.redacted(edited.message, in: context)
        self.text = edited.text
    }

    /// Does what brings it to the host; then its text need not be kept any more.
    func deliver<Value: Sendable>(
        in context: CommandContext, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        defer { files.endMeters() }
        do {
            let value = try await context.interruptible(operation)
            text?.discard()
            return value
        } catch {
            text?.tell(in: context)
            throw error
        }
    }
}
