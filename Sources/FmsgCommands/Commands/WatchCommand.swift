import CommandLineTool
import FmsgCore

/// `fmsg watch`: messages as they arrive.
enum WatchCommand: Command {
    static let unread = Option.flag("unread", "First print what is unread already")
    static let once = Option.flag("once", "End after the first message")
    static let timeout = Option.value(
        "timeout", .seconds, "End after so long; exit code 2 when nothing came")

    static let declaration = CommandDeclaration(
        "watch", group: .live, summary: "Print messages as they arrive",
        description: """
            It connects, reads the inbox to know what is there already, says that it is ready, and \
            prints every message that comes after. It ends with exit code 6 when the connection \
            is lost.

            In a pipe each message is one line of tab-separated fields: id, time, from, flags, \
            topic, preview.
            """,
        options: [unread, once, timeout],
        exitCodes: [.nothingCame, .notAuthenticated, .refused, .hostUnavailable, .interrupted],
        examples: [
            Example("fmsg watch --json | jq -r 'select(.type==\"new_msg\").data.topic'", "Topics"),
            Example("fmsg watch --once --timeout 60", "Wait a minute for a message"),
        ],
        output: """
            One object a line: {"type":"ready"} once what was there is known, and \
            {"type":"new_msg","data":{message}} for each message.
            """)

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let client = try context.client()
        let watch = Watch(
            client: client, context: context, printsUnread: invocation[unread],
            isOnce: invocation[once])
        let limit = invocation[timeout]
        return try await context.interruptible {
            guard let limit else { return try await watch.run() }
            return try await watch.run(for: limit)
        }
    }
}

/// One connection, watched until it ends.
private struct Watch: Sendable {
    let client: FmsgClient
    let context: CommandContext
    let printsUnread: Bool
    let isOnce: Bool

    /// As ``run()``, but for `seconds` at the most.
    func run(for seconds: Double) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode.self) { group in
            group.addTask { try await run() }
            group.addTask { [time = context.runtime.time] in
                try await time.sleep(seconds)
                return .nothingCame
            }
            let first = try await group.next() ?? .nothingCame
            group.cancelAll()
            return first
        }
    }

    func run() async throws -> ExitCode {
        let me = try await client.whoami().address
        let socket = try await client.openSocket()
        do {
            let exitCode = try await follow(socket, me)
            await socket.close(code: 1000)
            return exitCode
        } catch {
            await socket.close(code: 1001)
            throw error
        }
    }

    private func follow(_ socket: any TransportSocket, _ me: String) async throws -> ExitCode {
        var seen: Set<Int64> = []
        // What comes from here on waits in the socket until the list is read.
        for message in try await client.inbox(limit: FmsgClient.maximumPage).reversed()
        where !message.isDraft {
            seen.insert(message.id)
            if printsUnread, !message.isRead, !message.isReaction {
                try print(message)
                if isOnce { return .done }
            }
        }
        if context.wantsJSON {
            try context.output.write(["type": .string("ready")], flush: true)
        } else {
            context.say("watching as \(me)")
        }
        while let frame = try await nextFrame(socket) {
            guard let message = Self.arrival(frame, me), seen.insert(message.id).inserted else {
                continue
            }
            try print(message)
            if isOnce { return .done }
        }
        throw CommandFailure("the host closed the connection", exitCode: .hostUnavailable)
    }

    /// The next event; nil at the end of the connection.
    private func nextFrame(_ socket: any TransportSocket) async throws -> EventFrame? {
        while true {
            switch try await FmsgClient.received(from: socket) {
            case .ping, .pong: continue
            case .closed: return nil
            case .message(let bytes):
                do {
                    return try EventFrame(bytes)
                } catch {
                    context.say("an event cannot be read: \(error.reason)")
                }
            }
        }
    }

    /// The message that an event brings to `me`: a new one, or one that it was added to.
    private static func arrival(_ frame: EventFrame, _ me: String) -> FmsgMessage? {
        switch frame {
        case .newMessage(let message): message.isDraft ? nil : message
        case .updated(.recipients, let message): message.onlyBatch(of: me) == nil ? nil : message
        default: nil
        }
    }

    private func print(_ message: FmsgMessage) throws {
        if context.wantsJSON {
            try context.output.write(
                [
                    Field.type: .string(EventType.newMessage),
                    Field.data: .object(MessageDocument.object(message)),
                ], flush: true)
        } else {
            try MessageTable(
                output: context.output, columns: try context.output.columns(MessageColumn.inbox),
                isSent: false
            ).write([message], flush: true)
        }
    }
}
