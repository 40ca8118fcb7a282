/// A message that has to wait until it is handed out, in about as many bytes as it came in: a
/// decoded one takes several times that.
public struct KeptMessage: Sendable, Equatable {
    public let id: Int64
    /// POSIX seconds.
    public let time: Double
    private let bytes: [UInt8]

    /// Nil for a draft, which is no message yet.
    init?(_ message: FmsgMessage) {
        guard let time = message.time else { return nil }
        id = message.id
        self.time = time
        bytes = JSON.object(message.document).bytes
    }

    /// The message, decoded again.
    public var message: FmsgMessage? {
        guard let document = (try? JSON.read(bytes))?.object else { return nil }
        return try? FmsgMessage(document: document)
    }
}
