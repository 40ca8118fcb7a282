import FmsgCore

/// What the completion of messages, people and attachments proposes: a little of each recent
/// message.
package struct RecentMessages: Sendable, Equatable {
    /// When the host was last asked, in POSIX seconds; nil when it never was.
    var triedAt: Double?
    /// The newest by id first.
    package private(set) var messages: [Entry] = []

    package struct Entry: Sendable, Equatable {
        var id: Int64
        /// The sender; of a message of one's own its recipients.
        var people: [String]
        /// The topic of its thread, as far as that is known.
        package var topic: String
        var attachments: [String]
        var isDraft = false
        /// Whether `-N` counts it.
        var isReceived = true
    }

    package init() {}

    private static let mostMessages = 200
    private static let mostNames = 50
    private static let longestTopic = 80

    /// The people that one had to do with last, each once, the latest first.
    var people: [String] { uniqueAddresses(messages.flatMap(\.people)) }

    /// The topics of the latest threads, each once.
    var topics: [String] {
        var known: Set<String> = []
        return messages.map(\.topic).filter { !$0.isEmpty && known.insert($0).inserted }
    }

    /// The message that a reference names: by its id, or as the N-th newest.
    package func message(_ reference: MessageReference) -> Entry? {
        switch reference {
        case .id(let id): return messages.first { $0.id == id }
        case .newest(let count):
            let received = messages.lazy.filter { $0.isReceived && !$0.isDraft }
            return received.dropFirst(count - 1).first
        default: return nil
        }
    }

    /// Adds messages, in the place of what is known of them. Reactions and drafts of others are
    /// left out.
    /// - Parameter me: the acting address, where it is known.
    package mutating func add(received: [FmsgMessage], sent: [FmsgMessage] = [], me: String? = nil)
    {
        var known: [Int64: Entry] = [:]
        for entry in messages { known[entry.id] = entry }
        var added: [Int64: FmsgMessage] = [:]
        for message in sent + received { added[message.id] = message }
        let isReceived = Set(received.map(\.id))
        for message in added.values where !message.isReaction {
            let isMine = !isReceived.contains(message.id) || me.map(message.isFrom) ?? false
            guard isMine || !message.isDraft else { continue }
            let people = isMine ? message.to : [message.from]
            let topic = Self.topic(of: message, added, known)
            known[message.id] = Entry(
                id: message.id, people: Array(people.prefix(Self.mostNames)),
                topic: String(topic.prefix(Self.longestTopic)),
                attachments: message.attachments.prefix(Self.mostNames).map(\.filename),
                isDraft: message.isDraft,
                isReceived: isReceived.contains(message.id) || known[message.id]?.isReceived == true
            )
        }
        let newest = known.values.sorted { $0.id > $1.id }
        messages = Array(newest.prefix(Self.mostMessages))
    }

    /// Only the first message of a thread has a topic; empty where that is not known.
    private static func topic(
        of message: FmsgMessage, _ added: [Int64: FmsgMessage], _ known: [Int64: Entry]
    ) -> String {
        var message = message
        // A host that is at odds with itself could name parents in a circle.
        for _ in 0..<100 {
            guard message.topic.isEmpty, let parent = message.pid else { break }
            guard let above = added[parent] else { return known[parent]?.topic ?? "" }
            message = above
        }
        return message.topic
    }
}

/// Its file.
extension RecentMessages {
    private enum Key {
        static let triedAt = "tried_at"
        static let people = "people"
        static let draft = "draft"
        static let received = "received"
    }

    init(_ document: JSONObject) {
        triedAt = document[Key.triedAt]?.double
        messages = (document[Field.messages]?.array ?? []).compactMap { item in
            guard let fields = item.object, let id = fields[Field.id]?.int64 else { return nil }
            func strings(_ key: String) -> [String] {
                (fields[key]?.array ?? []).compactMap(\.string)
            }
            return Entry(
                id: id, people: strings(Key.people), topic: fields[Field.topic]?.string ?? "",
                attachments: strings(Field.attachments),
                isDraft: fields[Key.draft]?.bool ?? false,
                isReceived: fields[Key.received]?.bool ?? true)
        }
    }

    var document: JSONObject {
        [
            Key.triedAt: triedAt.map(JSON.double) ?? .null,
            Field.messages: .array(
                messages.map { entry in
                    .object([
                        Field.id: .integer(entry.id), Key.people: .strings(entry.people),
                        Field.topic: .string(entry.topic),
                        Field.attachments: .strings(entry.attachments),
                        Key.draft: .bool(entry.isDraft), Key.received: .bool(entry.isReceived),
                    ])
                }),
        ]
    }
}
