import CommandLineTool
import FmsgCore

/// Asks the host what completion can propose, in a process of its own that nobody waits for:
/// `fmsg __complete refresh [--profile NAME] [--api-url URL] [--as ADDRESS]`.
enum CompletionRefresh {
    static let word = "refresh"

    /// Seconds after which a host that does not answer is given up.
    private static let patience = 20.0

    /// Starts such a process for the account that a line speaks of. Where it cannot be started,
    /// nothing new is proposed.
    static func start(for line: CompletionLine, _ runtime: Runtime) {
        guard let program = runtime.executablePath else { return }
        let options: [any DeclaredOption] = [
            GlobalOptions.profile, GlobalOptions.apiURL, GlobalOptions.actAs,
        ]
        let given = options.flatMap { option in
            line.value(of: option).map { ["\(option.declaration.flag)=\($0)"] } ?? []
        }
        try? runtime.processes.start(
            detached: program, [CompletionRequest.marker, word] + given,
            environment: runtime.environment)
    }

    /// Asks, and keeps what came.
    static func run(in context: CommandContext) async throws {
        let account = try context.resolver.account()
        guard let cache = CompletionCache(for: account, context.runtime) else { return }
        var recent = cache.load()
        recent.triedAt = context.runtime.time.now
        // Now, so that nobody else asks meanwhile.
        try cache.save(recent)
        let client = context.client(for: account)
        let pages = try await withThrowingTaskGroup(of: [[FmsgMessage]]?.self) { group in
            group.addTask {
                [
                    try await client.inbox(limit: FmsgClient.maximumPage),
                    try await client.sent(limit: FmsgClient.maximumPage),
                ]
            }
            group.addTask { [time = context.runtime.time] in
                try await time.sleep(patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let pages else { return }
        let me = try await client.whoami().address
        recent = RecentMessages()
        recent.triedAt = context.runtime.time.now
        recent.add(received: pages[0], sent: pages[1], me: me)
        try cache.save(recent)
    }
}
