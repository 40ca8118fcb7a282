import CommandLineTool
import FmsgCore

/// Something of a message that is downloaded: an attachment, or the body.
struct Download: Sendable {
    /// What it is called while it comes in, and in an error.
    let name: String
    let message: FmsgMessage
    /// Bytes.
    let size: Int64
    let fetch: @Sendable (any DownloadTarget) async throws(FmsgError) -> Void

    init(_ attachment: Attachment, of message: FmsgMessage, with client: FmsgClient) {
        name = attachment.filename
        self.message = message
        size = attachment.size
        fetch = { (target) async throws(FmsgError) in
            try await client.download(attachment, of: message.id, to: target)
        }
    }

    init(bodyOf message: FmsgMessage, with client: FmsgClient) {
        name = "body of \(message.id)"
        self.message = message
        size = message.size
        fetch = { (target) async throws(FmsgError) in
            try await client.downloadBody(of: message, to: target)
        }
    }

    /// Writes it to standard output; on a terminal only text, made fit for it.
    func print(in context: CommandContext) async throws {
        let meter = context.isOnTerminal ? nil : context.meter(name, total: size)
        let target = OutputTarget(
            context.runtime.standardOutput, isTerminal: context.isOnTerminal, meter: meter)
        try await run(to: target, target.failure, meter, in: context)
        try target.end()
        try context.runtime.standardOutput.flush()
    }

    /// Writes it to a file, which has its name only once it is whole. What came of a broken
    /// download is kept beside it, and the next try goes on from there.
    /// - Parameter origin: what tells it from all else: the host's URL and who asks.
    func save(
        as path: String, replacing: Bool, origin: String, in context: CommandContext
    ) async throws {
        let files = context.runtime.files
        try checkIsFree(path, replacing: replacing, files)
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let key = SHA256.hex(Array("\(origin)\n\(message.id)\n\(size)\n\(name)\n\(path)".utf8))
        let partialPath = "\(path[..<slash]).fmsg-\(key.prefix(16)).part"
        do {
            guard let file = try files.openPartial(partialPath) else {
                throw CommandFailure(
                    "\(DisplayText.escape(path)) is being downloaded by another process")
            }
            try await fill(file, in: context)
            try Self.finish(file, as: path, replacing: replacing)
        } catch let error as FileError where error.path == partialPath {
            // The hidden name tells nobody anything.
            throw FileError(operation: error.operation, path: path, reason: error.reason)
        }
    }

    private func fill(_ file: PartialFile, in context: CommandContext) async throws {
        // A draft can change between two tries.
        if file.size > size || message.isDraft { try file.cut(to: 0) }
        let meter = context.meter(name, done: file.size, total: size)
        let target = FileTarget(file, meter: meter)
        do {
            try await run(to: target, target.failure, meter, in: context)
        } catch {
            if file.size == 0 || message.isDraft || !isWorthKeeping(error) {
                file.discard()
            } else {
                context.say(
                    "\(ByteCount.text(file.size)) of \(ByteCount.text(size)) are kept; "
                        + "the same command goes on from there")
            }
            throw error
        }
    }

    private static func finish(
        _ file: PartialFile, as path: String, replacing: Bool
    ) throws {
        do throws(FileError) {
            try file.finish(as: path, replacing: replacing)
        } catch {
            file.discard()
            throw error.reason == .exists ? isThere(path) : error
        }
    }

    private func run(
        to target: some DownloadTarget, _ failure: TargetFailure, _ meter: ProgressMeter?,
        in context: CommandContext
    ) async throws {
        defer { meter?.end() }
        do {
            try await context.interruptible { try await fetch(target) }
        } catch {
            // Its own words are better than what the transport could make of them.
            throw failure.error ?? error
        }
    }

    /// Whether another try may bring the rest: not when the host refused, or what it sent was wrong.
    private func isWorthKeeping(_ error: any Error) -> Bool {
        guard let error = error as? FmsgError else { return true }
        return error.isRetryable || error.category == .cancelled
    }

    private func checkIsFree(
        _ path: String, replacing: Bool, _ files: any FileSystem
    ) throws {
        guard try files.isTaken(path) else { return }
        if let status = try files.status(path), status.kind != .file {
            throw FileError(operation: "replace", path: path, reason: .notAFile)
        }
        guard replacing else { throw Self.isThere(path) }
    }

    private static func isThere(_ path: String) -> CommandFailure {
        CommandFailure(
            "\(DisplayText.escape(path)) is there already", hint: "--force replaces it")
    }
}

extension CommandContext {
    /// What shows how far a transfer is; nil where nobody watches.
    func meter(_ name: String, done: Int64 = 0, total: Int64) -> ProgressMeter? {
        guard runtime.terminal.isTerminal(.error), !invocation[GlobalOptions.quiet],
            runtime.environment["TERM"] != "dumb"
        else { return nil }
        return ProgressMeter(
            name, done: done, total: total, on: runtime.standardError, runtime.terminal,
            runtime.time)
    }
}
