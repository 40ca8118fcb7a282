@testable import FmsgCore

extension FmsgMessage {
    /// A message to Alice as a host tells it.
    static func sample(
        _ id: Int64, from: String = "@bob@example.com", topic: String = "", text: String = "Hi",
        pid: Int64? = nil, time: Double = 1_796_000_000, more: JSONObject = [:]
    ) throws -> FmsgMessage {
        var document: JSONObject = [
            Field.id: .integer(id), Field.from: .string(from),
            Field.to: .strings(["@alice@example.com"]), Field.time: .double(time),
            Field.topic: .string(topic), Field.type: .string("text/plain"),
            Field.size: .integer(text.utf8.count), Field.shortText: .string(text),
            Field.read: .bool(false), Field.pid: pid.map { JSON.integer($0) } ?? .null,
        ]
        for (key, value) in more.fields { document[key] = value }
        return try FmsgMessage(document: document)
    }
}

extension ThreadTree {
    /// Of messages by id and parent, the first being the root; what is asked for is the last of the
    /// lineage.
    static func sample(
        lineage: [Int64], _ parents: [(id: Int64, pid: Int64)]
    ) throws -> ThreadTree {
        let messages = try lineage.enumerated().map { index, id in
            try FmsgMessage.sample(
                id, pid: index > 0 ? lineage[index - 1] : nil, more: [Field.visible: .bool(true)])
        }
        let thread = try FmsgThread(document: [
            Field.rootId: .integer(lineage[0]), Field.triggerId: .integer(lineage.last ?? 0),
            Field.complete: .bool(true),
            Field.messages: .array(messages.map { .object($0.document) }),
        ])
        return ThreadTree(
            lineage: thread, others: try parents.map { try .sample($0.id, pid: $0.pid) })
    }
}
