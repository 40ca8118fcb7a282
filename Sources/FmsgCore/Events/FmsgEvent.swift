/// What the event stream tells (web API, section 7), put in order and freed of repetitions.
public enum FmsgEvent: Sendable, Equatable {
    /// The socket is open, and all that came before or meanwhile has been handed out.
    case connected
    /// A message became available to the acting address: by an event, by a list, or by being
    /// added to it. Each id comes once in the life of the stream; drafts never. Reactions that a
    /// list holds come as the messages that they are (``FmsgMessage/isReaction``).
    case newMessage(FmsgMessage)
    /// A known message changed; it is here as it stands now. Not freed of repetitions.
    case updated(EventFrame.Update, FmsgMessage)
    /// A frame that could not be understood was passed over: what was wrong with it.
    case ignored(String)
    /// The connection was lost or not made: why, and in how many seconds it is tried again.
    case disconnected(reason: String, retryIn: Double)
}

/// How an event stream behaves. All times are in seconds.
public struct EventOptions: Sendable {
    /// What is handed out of that which is there before the stream begins.
    public enum Initial: Sendable, Equatable {
        case nothing
        case unread
    }

    public var initial: Initial
    /// How many messages a list reads back; further while all that it meets is new.
    public var lookBack: Int
    /// How often the list is read again on a healthy socket, since some arrivals raise no event.
    public var pollPeriod: Double
    /// How often the host pings. After two periods without a frame or a ping the connection is
    /// dead.
    public var pingPeriod: Double
    /// The pauses before a connection is tried again.
    public var backoff: Backoff
    /// How long a connection must live until the next pause is the first again.
    public var healthyAfter: Double

    public init(
        initial: Initial = .nothing, lookBack: Int = 1000, pollPeriod: Double = 300,
        pingPeriod: Double = 45, backoff: Backoff = Backoff(), healthyAfter: Double = 60
    ) {
        self.initial = initial
        self.lookBack = lookBack
        self.pollPeriod = pollPeriod
        self.pingPeriod = pingPeriod
        self.backoff = backoff
        self.healthyAfter = healthyAfter
    }
}
