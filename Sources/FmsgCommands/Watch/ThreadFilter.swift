import FmsgCore

/// Whether a message belongs to one thread, on any of its branches.
actor ThreadFilter {
    /// How many strangers are remembered.
    private static let capacity = 10_000

    private let client: FmsgClient
    private let context: CommandContext
    private let rootId: Int64
    private var members: Set<Int64>
    private var strangers: Set<Int64> = []

    /// - Parameter reference: a message of the thread.
    init(
        of reference: MessageReference, client: FmsgClient, in context: CommandContext
    ) async throws(FmsgError) {
        let thread = try await client.thread(reference)
        self.client = client
        self.context = context
        rootId = thread.rootId
        members = Set(thread.messages.map(\.id))
    }

    /// No request for a message whose parent is known, one for another. A message whose lineage
    /// cannot be known belongs to none: it is too deep, or was taken back.
    /// - Throws: ``FmsgError`` only where it was cancelled, or the credential was refused.
    func contains(_ message: FmsgMessage) async throws(FmsgError) -> Bool {
        if members.contains(message.id) { return true }
        guard let pid = message.pid else { return false }
        if !members.contains(pid) {
            guard !strangers.contains(pid) else { return false }
            let thread = try await thread(of: message.id)
            guard let thread, thread.rootId == rootId else {
                if strangers.count < Self.capacity { strangers.insert(pid) }
                return false
            }
            members.formUnion(thread.messages.map(\.id))
        }
        members.insert(message.id)
        return true
    }

    private func thread(of id: Int64) async throws(FmsgError) -> FmsgThread? {
        do throws(FmsgError) {
            return try await context.patiently("message \(id)") { [client] () throws(FmsgError) in
                try await client.threadOnceReadable(id)
            }
        } catch {
            switch error.category {
            case .cancelled, .notAuthenticated: throw error
            default: return nil
            }
        }
    }
}
