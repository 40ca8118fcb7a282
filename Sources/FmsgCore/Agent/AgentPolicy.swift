/// Which messages an agent answers, by the message alone. How often it answers in one thread is
/// ``maximumReplies``; whether it has answered already its ledger tells.
public struct AgentPolicy: Sendable, Equatable {
    /// Who is answered. The owner always is.
    public enum Senders: Sendable, Equatable {
        /// The owner and the addresses of the owner's domain. Who has no owner acts for itself:
        /// then its own domain.
        case ownDomain
        case only([SenderPattern])
        case everyone
    }

    public var senders: Senders
    /// What was sent before is not answered; POSIX seconds.
    public var since: Double?
    /// Replies in one thread at the most.
    public var maximumReplies: Int
    /// Whether a message that is not answered because of its sender or age is marked read.
    public var marksSkipped: Bool
    /// How often the handler may fail for a message.
    public var retries: Int

    public init(
        senders: Senders = .ownDomain, since: Double? = nil, maximumReplies: Int = 10,
        marksSkipped: Bool = false, retries: Int = 3
    ) {
        self.senders = senders
        self.since = since
        self.maximumReplies = maximumReplies
        self.marksSkipped = marksSkipped
        self.retries = retries
    }

    public enum Decision: Sendable, Equatable {
        case answer
        /// Not now and not later.
        case skip(SkipReason, marksRead: Bool)
        /// Nothing is to be done or told: somebody's draft, or read already.
        case ignore
    }

    /// What becomes of a message in the inbox of `identity`.
    public func decision(on message: FmsgMessage, for identity: Identity) -> Decision {
        if message.isDraft || message.isRead { return .ignore }
        if message.isFrom(identity.address) { return .skip(.own, marksRead: true) }
        if message.isReaction { return .skip(.reaction, marksRead: true) }
        if message.isTerminal { return .skip(.terminal, marksRead: true) }
        if message.isNoReply { return .skip(.noReply, marksRead: true) }
        if !isAllowed(message.from, for: identity) {
            return .skip(.senderNotAllowed, marksRead: marksSkipped)
        }
        if let since, let time = message.time, time < since {
            return .skip(.tooOld, marksRead: marksSkipped)
        }
        return .answer
    }

    private func isAllowed(_ sender: String, for identity: Identity) -> Bool {
        if let owner = identity.owner, sameAddress(sender, owner) { return true }
        switch senders {
        case .everyone: return true
        case .only(let patterns): return patterns.contains { $0.matches(sender) }
        case .ownDomain:
            guard let owner = try? FmsgAddress(identity.owner ?? identity.address) else {
                return false
            }
            return SenderPattern.domain(owner.domain).matches(sender)
        }
    }
}

/// One address, or all addresses of a domain.
public enum SenderPattern: Sendable, Equatable {
    case address(FmsgAddress)
    case domain(String)

    /// - Parameter text: `@user@domain`, or `*@domain`.
    /// - Throws: ``FmsgAddressError`` naming the rule that the text breaks.
    public init(_ text: String) throws(FmsgAddressError) {
        if text.hasPrefix("*@") {
            self = .domain(try FmsgAddress("@any" + text.dropFirst()).domain)
        } else {
            self = .address(try FmsgAddress(text))
        }
    }

    public func matches(_ sender: String) -> Bool {
        switch self {
        case .address(let address): sameAddress(address.text, sender)
        case .domain(let domain):
            (try? FmsgAddress(sender)).map { sameAddress($0.domain, domain) } ?? false
        }
    }
}

/// Why a message is not answered; the raw value is for scripts.
public enum SkipReason: String, Sendable, Equatable {
    case own
    case reaction
    case terminal
    case noReply = "no_reply"
    case senderNotAllowed = "sender_not_allowed"
    case tooOld = "too_old"
    /// The thread has had all the replies that it gets, or is too deep to be counted.
    case capped
    /// There is a reply of one's own.
    case answered
    /// The handler had nothing to say.
    case emptyAnswer = "empty_answer"
    /// Somebody deleted the draft of the reply.
    case withdrawn
    /// Somebody changed the draft of the reply: it is theirs now.
    case draftChanged = "draft_changed"
    /// The host refused the reply once.
    case refused
    /// The handler failed too often.
    case givenUp = "given_up"
    /// The message cannot be read any more.
    case gone
}
