import FmsgCore

/// A message as `--json` prints it: the host's own object, made safe to rely on. Arrays are
/// never null, the time also stands as text, unknown fields pass through, and what the route did
/// not give is left out.
package enum MessageDocument {
    /// The keys that this program adds.
    static let timeRFC3339 = "time_rfc3339"

    /// Every key that a message can have here, for `--fields`.
    static let keys = [
        Field.id, Field.version, Field.hasPid, Field.hasAddTo, Field.important, Field.noReply,
        Field.deflate, Field.terminal, Field.pid, Field.sha256, Field.parentSHA256, Field.from,
        Field.to, Field.toDelivery, Field.addTo, Field.time, timeRFC3339, Field.topic, Field.type,
        Field.size, Field.shortText, Field.read, Field.timeRead, Field.attachments,
        Field.reaction, Field.reactions, Field.body,
    ]

    private static let arrays: Set<String> = [
        Field.to, Field.toDelivery, Field.addTo, Field.attachments, Field.reactions, Field.from,
    ]

    package static func object(_ message: FmsgMessage) -> JSONObject {
        var fields: [JSONObject.Field] = [(Field.id, .integer(message.id))]
        fields.reserveCapacity(message.document.fields.count + 1)
        for (key, value) in message.document.fields where key != Field.id {
            fields.append((key, normal(key, value)))
            if key == Field.time { fields.append((timeRFC3339, rfc3339(message.time))) }
        }
        return JSONObject(fields: fields)
    }

    /// A place in a lineage: of an invisible one only its id.
    static func object(_ entry: FmsgThreadMessage) -> JSONObject {
        guard let message = entry.message else {
            return [Field.id: .integer(entry.id), Field.visible: .bool(false)]
        }
        var object = object(message)
        object[Field.visible] = .bool(true)
        return object
    }

    /// A time as a text, or null.
    static func rfc3339(_ time: Double?) -> JSON {
        time.flatMap(TimeText.rfc3339).map(JSON.string) ?? .null
    }

    /// Null arrays become empty, also inside add-to batches.
    private static func normal(_ key: String, _ value: JSON) -> JSON {
        switch value {
        case .null where arrays.contains(key) && key != Field.from: .array([])
        case .array(let items) where key == Field.addTo || key == Field.reactions:
            .array(
                items.map { item in
                    guard let object = item.object else { return item }
                    return .object(
                        object.mapValues { key, value in
                            value.isNull && arrays.contains(key) ? .array([]) : value
                        })
                })
        default: value
        }
    }
}
