// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore

/// `next`: on along the conversation.
enum NextCommand: SessionCommand {
    static let branch = Operand.optional(
        "N", .integer(1...100_000), "Which reply, where there are several; else as before")

    static let declaration = Step.declaration(
        "next", summary: "Open the next message of the conversation",
        description: "Where it branches: the reply that was gone through before, else the first.",
        operands: [branch])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        let branch = try invocation[branch]
        return try await Step.run(in: context, of: session) { id, tree, line in
            OpenMessage.next(after: id, in: tree, along: line, branch: branch)
        }
    }
}

/// `prev`: back along the conversation.
enum PreviousCommand: SessionCommand {
    static let declaration = Step.declaration(
        "prev", summary: "Open the message that the open one answers")

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        try await Step.run(in: context, of: session) { id, tree, _ in
            OpenMessage.previous(before: id, in: tree)
        }
    }
}

/// `up`: back to where the conversation branches.
enum UpCommand: SessionCommand {
    static let declaration = Step.declaration(
        "up", summary: "Open the nearest message above with several replies",
        description: "Where there is none, the first message of the conversation.")

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        try await Step.run(in: context, of: session) { id, tree, _ in
            OpenMessage.up(from: id, in: tree)
        }
    }
}

/// `branches`: the whole conversation, each message a number away.
enum BranchesCommand: SessionCommand {
    static let declaration = Step.declaration(
        "branches", summary: "List the whole conversation of the open message",
        description: "Each line has a number: open %3 opens the third.")

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        let (open, tree, client) = try await session.conversation(in: context)
        try await ThreadTreePage.print(tree, marked: open.message.id, with: client, in: context)
        return .done
    }
}

/// What the commands that walk a conversation have in common.
enum Step {
    static func declaration(
        _ name: String, summary: String, description: String = "",
        operands: [any DeclaredOperand] = []
    ) -> CommandDeclaration {
        CommandDeclaration(
            name, group: .read, summary: summary, description: description, operands: operands,
            exitCodes: [.notFound, .notAuthenticated, .refused, .hostUnavailable],
            examples: [
                Example("fmsg repl -c 'open 42; \(name)'", "From message 42 on")
            ])
    }

    static func run(
        in context: CommandContext, of session: ReplSession,
        step: (Int64, ThreadTree, [Int64]) -> OpenMessage.Step
    ) async throws -> ExitCode {
        let (open, tree, client) = try await session.conversation(in: context)
        switch step(open.message.id, tree, open.line) {
        case .end:
            throw CommandFailure("there is no further message that way", exitCode: .notFound)
        case .replies(let count):
            throw CommandFailure(
                "message \(open.message.id) has \(count) \(count == 1 ? "reply" : "replies")",
                exitCode: .notFound)
        case .to(let id):
            let message = try await client.message(.id(id))
            try await session.open(message, marksRead: true, with: client, in: context)
            let others = tree.replies(to: id).count
            if others > 1 {
                context.say("message \(id) has \(others) replies: next N, or branches")
            }
            return .done
        }
    }
}

extension ReplSession {
    /// The open message with its thread, which is read where it is not known or has grown.
    func conversation(
        in context: CommandContext
    ) async throws -> (OpenMessage, ThreadTree, FmsgClient) {
        guard let open = store.read(\.open) else {
            throw CommandFailure(
                "no message is open", hint: "open one: open REF", exitCode: .usage)
        }
        let client = try context.client()
        if let tree = open.tree { return (open, tree, client) }
        // From the end of the line on, so that all of it is the tree's lineage.
        let tree = try await client.threadTree(.id(open.message.id))
        let now = store.update { state in
            state.open?.set(tree)
            return state.open
        }
        return (now ?? open, tree, client)
    }
}
