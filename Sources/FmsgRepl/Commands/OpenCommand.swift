// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore

/// `open`: a message is read, and what follows acts on it.
enum OpenCommand: SessionCommand {
    static let reference = Operand.required(
        "REF", .messageReference, "A message: its id, SHA-256, -N, or %N of the last list")
    static let keepUnread = Option.flag("keep-unread", "Do not mark it read")

    static let declaration = CommandDeclaration(
        "open", group: .read, summary: "Open a message, for the commands that follow",
        description: """
            It is shown and marked read. Until another is opened, reply, reply-all, react, thread \
            and all that takes a message act on it where they name no other. next, prev, up and \
            branches go on from it, save keeps its text, close leaves it.
            """,
        options: [keepUnread], operands: [reference],
        exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("open %1", "The first line of the last list, at the prompt of fmsg repl"),
            Example("fmsg repl -c 'open -1; reply Gladly'", "Open the newest and answer it"),
        ],
        output: "The message, as with show.")

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        let client = try context.client()
        let message = try await context.message(try invocation[reference], from: client)
        try await session.open(
            message, marksRead: !invocation[keepUnread], with: client, in: context)
        return .done
    }
}

/// `close`: no message is open any more.
enum CloseCommand: SessionCommand {
    static let declaration = CommandDeclaration(
        "close", group: .read, summary: "Leave the message that is open",
        examples: [Example("close", "At the prompt of fmsg repl")])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        session.store.update { $0.open = nil }
        return .done
    }
}

extension ReplSession {
    /// Shows a message, and makes it the open one.
    /// - Parameter thread: its thread, when it is known and it is a step within it.
    func open(
        _ message: FmsgMessage, marksRead: Bool, with client: FmsgClient,
        in context: CommandContext
    ) async throws {
        let whole = try await client.withBody(message)
        let identity = try await client.whoami()
        let before = store.read(\.open)
        let isStep = before?.tree?[message.id] != nil || before?.line.contains(message.id) == true
        let topic = try await topic(of: message, isStep ? before : nil, client)
        if context.wantsJSON {
            try context.output.write(MessageDocument.object(whole))
        } else {
            try MessagePage(output: context.output, me: identity.address).write(whole)
        }
        store.update { state in
            state.open = OpenMessage(
                message, topic: topic, tree: isStep ? state.open?.tree : nil,
                line: isStep ? state.open?.line ?? [] : [])
        }
        guard marksRead, !message.isRead, !message.isDraft, !message.isFrom(identity.address)
        else { return }
        do throws(FmsgError) {
            _ = try await client.markRead(message.id)
            store.update { $0.unread.remove(message.id) }
        } catch {
            // Whoever was added late may be no recipient for some hosts: it was read all the same.
            guard error.category != .notFound else { return }
            throw error
        }
    }

    /// The topic of a message's thread: its root's.
    private func topic(
        of message: FmsgMessage, _ open: OpenMessage?, _ client: FmsgClient
    ) async throws -> String {
        guard message.topic.isEmpty, message.pid != nil else { return message.topic }
        if let open { return open.topic }
        let thread = try? await client.thread(.id(message.id))
        return thread?.visibleMessages.first?.topic ?? ""
    }
}
