import CommandLineTool
import FmsgCore
import Synchronization

/// Prints the events of a stream, and runs a hook for each.
struct Watch: Sendable {
    private let client: FmsgClient
    private let context: CommandContext
    private let options: EventOptions
    /// The types to print.
    private let types: Set<String>
    /// Whether text begins with the type, since there may be several.
    private let showsType: Bool
    private let senders: [FmsgAddress]
    private let thread: ThreadFilter?
    private let isOnce: Bool
    private let hook: WatchHook?
    private let jobs: Int
    private let printed = PrintedCount()

    /// The keys that this program adds.
    static let reason = "reason"
    static let retryIn = "retry_in"

    static let allTypes = [
        EventType.newMessage, EventType.delivered, EventType.recipientsAdded, EventType.reaction,
    ]

    init(
        _ invocation: Invocation, client: FmsgClient, options: EventOptions,
        in context: CommandContext
    ) async throws {
        self.client = client
        self.context = context
        self.options = options
        let names = invocation[WatchCommand.events]
        showsType = names != nil
        types = try Self.types(names ?? [EventType.newMessage], invocation)
        senders = invocation[WatchCommand.from]
        isOnce = invocation[WatchCommand.once]
        jobs = invocation[WatchCommand.jobs]
        hook = invocation[WatchCommand.exec].map { WatchHook(command: $0, context: context) }
        if let reference = invocation[WatchCommand.thread] {
            thread = try await ThreadFilter(
                of: try await context.resolve(reference, with: client), client: client, in: context)
        } else {
            thread = nil
        }
    }

    private static func types(
        _ names: [String], _ invocation: Invocation
    ) throws(UsageError) -> Set<String> {
        if names == ["all"] { return Set(allTypes) }
        for name in names where !allTypes.contains(name) {
            throw invocation.usageError(
                "--events \"\(DisplayText.escape(name))\": there is no such event",
                hint: "there are: \(allTypes.joined(separator: ", ")), or all")
        }
        return Set(names)
    }

    /// As ``run()``, but for `seconds` at the most.
    func run(for seconds: Double) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await run() }
            group.addTask { [time = context.runtime.time] in
                try await time.sleep(seconds)
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // What is being printed when the time is up still counts.
            _ = await group.nextResult()
            return printed.isZero ? .nothingCame : .done
        }
    }

    /// Goes on until its task is cancelled, the first event came with `--once`, or the stream
    /// ends.
    func run() async throws -> ExitCode {
        try await withThrowingTaskGroup(of: Void.self) { hooks in
            var running = 0
            for try await event in client.events(options) {
                guard let message = try await print(event) else { continue }
                if let hook {
                    if running == jobs {
                        try await hooks.next()
                        running -= 1
                    }
                    running += 1
                    hooks.addTask {
                        try await hook.run(type(of: event), message, with: client)
                    }
                }
                if isOnce {
                    try await hooks.waitForAll()
                    return .done
                }
            }
            return .done
        }
    }

    /// Prints an event.
    /// - Returns: its message, when it is one that was asked for.
    private func print(_ event: FmsgEvent) async throws -> FmsgMessage? {
        switch event {
        case .connected:
            if context.wantsJSON {
                try context.output.write([Field.type: .string("ready")], flush: true)
            } else {
                context.say("watching as \(try await client.whoami().address)")
            }
            return nil
        case .disconnected(let reason, let retryIn):
            if context.wantsJSON {
                try context.output.write(
                    [
                        Field.type: .string("disconnected"), Self.reason: .string(reason),
                        Self.retryIn: .double((retryIn * 1000).rounded() / 1000),
                    ], flush: true)
            }
            context.say("\(reason); trying again in \(Int(retryIn.rounded(.up))) s")
            return nil
        case .ignored(let reason):
            context.say(reason)
            return nil
        case .newMessage(let message):
            return try await isWanted(message, event) ? write(message, event) : nil
        case .updated(_, let message):
            return try await isWanted(message, event) ? write(message, event) : nil
        }
    }

    private func type(of event: FmsgEvent) -> String {
        if case .updated(let update, _) = event { return update.type }
        return EventType.newMessage
    }

    private func isWanted(_ message: FmsgMessage, _ event: FmsgEvent) async throws -> Bool {
        let type = type(of: event)
        // A reaction is told of by its subject, not as a message.
        guard types.contains(type), type != EventType.newMessage || !message.isReaction else {
            return false
        }
        guard senders.isEmpty || senders.contains(where: { message.isFrom($0.text) }) else {
            return false
        }
        guard let thread else { return true }
        return try await thread.contains(message)
    }

    private func write(_ message: FmsgMessage, _ event: FmsgEvent) throws -> FmsgMessage {
        let output = context.output
        let type = type(of: event)
        printed.increase()
        if context.wantsJSON {
            try output.write(
                [
                    Field.type: .string(type),
                    Field.data: .object(MessageDocument.object(message)),
                ], flush: true)
        } else {
            try MessageTable(
                output: output, columns: output.columns(MessageColumn.inbox), isSent: false
            ).write([message], prefix: showsType ? type : nil, flush: true)
        }
        return message
    }
}

/// How many events were printed, for whoever ends the watch.
private final class PrintedCount: Sendable {
    private let count = Atomic<Int>(0)

    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    func increase() { count.add(1, ordering: .relaxed) }
}
