import CommandLineTool
import FmsgCore

/// The options that `send`, `reply` and `reply-all` have in common, and what they say of the
/// message.
enum MessageOptions {
    static let text = Option.value("message", short: "m", .text("TEXT"), "The text, beyond doubt")
    static let file = Option.value("file", short: "F", .file, "Read the text from this file")
    static let attach = Option.values("attach", short: "a", .file, "Attach this file")
    static let to = Option.values(
        "to", .text("NAME", kind: .address), "Also to this address, or name of the directory")
    static let important = Option.flag("important", "Mark the message important")
    static let noReply = Option.flag("no-reply", "Say that replies will be discarded")
    static let terminal = Option.flag("terminal", "Let nothing be built on the message")
    static let type = Option.value(
        "type", .mediaType, standard: MediaType.plainText, "Media type of the text")
    static let noRedact = Option.flag(
        "no-redact", "Send keys, tokens and private keys in the text as they are")
    static let wait = Option.optionalValue(
        "wait", .seconds, "Wait until it is delivered: 60 seconds, or that many")
    static let dryRun = Option.flag("dry-run", "Show what would be sent, and send nothing")

    /// All of them, in the order of the help.
    static let all: [any DeclaredOption] = [
        text, file, attach, to, important, noReply, terminal, type, noRedact, wait, dryRun,
    ]

    /// The most that is read as a text, in bytes. Hosts have limits of their own, far lower.
    private static let limit = 64 << 20

    /// The one text that the line gives; nil when a person at the terminal is to write it.
    /// - Parameter operands: operands that can be a text; `-` is standard input.
    /// - Throws: ``UsageError`` when there is more than one, or none and nobody to ask; what reading
    ///   throws.
    static func body(
        _ invocation: Invocation, operands: [String], in context: CommandContext
    ) async throws -> String? {
        let given =
            operands.count
            + [invocation.isGiven(text), invocation.isGiven(file)]
            .filter { $0 }.count
        guard given <= 1 else {
            throw invocation.usageError(
                "more than one text is given",
                hint: "quote it as one operand, or give it with -m TEXT or -F FILE alone")
        }
        if let text = invocation[text] { return text }
        if let path = invocation[file] {
            return try text(try await bytes(of: path, in: context), from: path, invocation)
        }
        guard let operand = operands.first else {
            if context.mayAsk { return nil }
            throw invocation.usageError(
                "there is no text to send",
                hint: "give it as an operand, with -m TEXT or -F FILE, or - for standard input")
        }
        guard operand == "-" else { return operand }
        return try text(
            try await context.runtime.standardInput.readAll(limit: limit),
            from: context.runtime.standardInput.name, invocation)
    }

    private static func bytes(of path: String, in context: CommandContext) async throws -> [UInt8] {
        let runtime = context.runtime
        if path == "-" { return try await runtime.standardInput.readAll(limit: limit) }
        guard try runtime.files.status(path)?.kind == .other else {
            return try runtime.files.read(path, limit: limit)
        }
        // A pipe, as a shell makes one of <(command).
        return try await context.interruptible {
            try await runtime.files.stream(path).readAll(limit: limit)
        }
    }

    private static func text(
        _ bytes: [UInt8], from name: String, _ invocation: Invocation
    ) throws(UsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw invocation.usageError(
                "\(DisplayText.escape(name)) is not UTF-8 text and cannot be a body")
        }
        return text
    }

    /// The addresses of `--to`: as they are, or by the directory, or at the default domain. What
    /// a bare name stood for is said.
    static func recipients(
        _ invocation: Invocation, in context: CommandContext
    ) throws -> [String] {
        let names = invocation[to]
        guard !names.isEmpty else { return [] }
        let directory = try Directory(context.runtime)
        return try names.map { name in
            let address = try directory.address(of: name, invocation)
            if address != name {
                context.say("\(name) is \(address)")
            }
            return address
        }
    }

    /// The message without the secrets in it, whose number is said; as it is with `--no-redact`.
    static func redacted(
        _ message: NewMessage, in context: CommandContext
    ) -> (message: NewMessage, count: Int) {
        guard !context.invocation[noRedact] else { return (message, 0) }
        let (redacted, count) = message.redacted()
        if count > 0 {
            context.say(
                "\(Redaction.words(count)) in what is sent; \(noRedact.declaration.flag) sends "
                    + "\(count == 1 ? "it as it is" : "them as they are")")
        }
        return (redacted, count)
    }

    /// Puts what the options say on a message.
    static func apply(_ invocation: Invocation, to message: inout NewMessage) {
        message.isImportant = invocation[important]
        message.isNoReply = invocation[noReply]
        message.isTerminal = invocation[terminal]
        message.type = invocation[type]
    }
}
