/// Finds a lineage on a host without `/thread/messages` by walking `pid` upward (web API,
/// section 5). A pure state machine: it says what to fetch and is told what came.
public struct LineageWalk: Sendable {
    public enum Action: Sendable, Equatable {
        /// `GET /fmsg/:id`.
        case fetchMessage(Int64)
        /// `GET /fmsg/:id/data` for the message fetched last.
        case fetchBody(FmsgMessage)
        case finished(FmsgThread)
        /// The lineage is deeper than ``maximumDepth``, or runs in a circle.
        case tooDeep
    }

    /// The most messages of a lineage, as on hosts that have the route.
    public static let maximumDepth = 100

    private let triggerId: Int64
    /// From the trigger up.
    private var found: [FmsgThreadMessage] = []

    public init(triggerId: Int64) { self.triggerId = triggerId }

    public func start() -> Action { .fetchMessage(triggerId) }

    /// Whether what is to be fetched stands above the trigger.
    public var isAtAncestor: Bool { !found.isEmpty }

    /// The message that was to be fetched.
    public mutating func fetched(_ message: FmsgMessage) -> Action {
        if message.wholeText == nil, MediaType.isText(message.type) {
            found.append(FmsgThreadMessage(message))
            return .fetchBody(message)
        }
        if let text = message.wholeText {
            let body = MessageBody(preview: text, type: message.type)
            return append(message.with(body: body))
        }
        return append(message)
    }

    /// The body that was to be fetched, of the message fetched last.
    public mutating func fetched(body: MessageBody) -> Action {
        guard let message = found.popLast()?.message else { return finish() }
        return append(message.with(body: body))
    }

    /// An ancestor answered 403 or 404: what stands above it cannot be known.
    public mutating func ancestorIsInvisible(_ id: Int64) -> Action {
        found.append(FmsgThreadMessage(invisible: id))
        return finish()
    }

    private mutating func append(_ message: FmsgMessage) -> Action {
        found.append(FmsgThreadMessage(message))
        guard let pid = message.pid else { return finish() }
        guard found.count < Self.maximumDepth, !found.contains(where: { $0.id == pid }) else {
            return .tooDeep
        }
        return .fetchMessage(pid)
    }

    private func finish() -> Action {
        let rootId = found.last?.id ?? triggerId
        return .finished(
            FmsgThread(messages: found.reversed(), rootId: rootId, triggerId: triggerId))
    }
}
