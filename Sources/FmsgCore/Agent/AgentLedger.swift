/// What an agent has decided and done, for as long as it lives: so that nothing is answered twice
/// and no handler runs again once its answer is known. It is kept as a file of records, one a
/// line, to which each record is added before what follows from it is done.
public struct AgentLedger: Sendable, Equatable {
    /// One step. See ``AgentLedger/Record/line``.
    public enum Record: Sendable, Equatable {
        /// What the others say of an id, they say of the message that was sent at this time.
        case message(id: Int64, time: Double)
        /// The answer is known and will be sent.
        case intent(AnswerIntent)
        /// Its draft stands on the host.
        case draft(messageId: Int64, draftId: Int64)
        /// It is over: with a reply, or without one.
        case answered(messageId: Int64, rootId: Int64, replyId: Int64?)
        /// The host refused the reply, in these words.
        case refused(messageId: Int64, reason: String)
        /// The handler failed once.
        case failure(messageId: Int64)
        /// The handler failed too often.
        case givenUp(messageId: Int64)
    }

    /// Where a message stands.
    public enum Standing: Sendable, Equatable {
        case intent(AnswerIntent)
        case draft(AnswerIntent, draftId: Int64)
        case answered(rootId: Int64, replyId: Int64?)
        case refused(String)
        case givenUp
    }

    private var times: [Int64: Double] = [:]
    private var standings: [Int64: Standing] = [:]
    private var failureCounts: [Int64: Int] = [:]
    private var answered: [Int64: Set<Int64>] = [:]

    public init() {}

    /// Where a message stands; nil when nothing was decided.
    public subscript(messageId: Int64) -> Standing? { standings[messageId] }

    /// When the message with an id was sent, in POSIX seconds; nil where it is not known. Ids are
    /// local to a deployment: on a host that was made anew they are other messages'.
    public func time(of messageId: Int64) -> Double? { times[messageId] }

    /// Whether what it says of an id was said of another message than this one.
    public func isOfAnother(than message: FmsgMessage) -> Bool {
        guard let known = times[message.id], let time = message.time else { return false }
        return known != time
    }

    /// How often the handler has failed for a message.
    public func failures(of messageId: Int64) -> Int { failureCounts[messageId] ?? 0 }

    /// How many messages of a thread got a reply.
    public func replies(under rootId: Int64) -> Int { answered[rootId]?.count ?? 0 }

    /// The messages whose answers are known and not brought to an end, in order of their ids.
    public var unfinished: [Int64] {
        standings.compactMap { id, standing in
            switch standing {
            case .intent, .draft: id
            default: nil
            }
        }.sorted()
    }

    /// Takes a record in.
    public mutating func add(_ record: Record) {
        switch record {
        case .message(let id, let time): times[id] = time
        case .intent(let intent): standings[intent.messageId] = .intent(intent)
        case .draft(let id, let draftId):
            switch standings[id] {
            case .intent(let intent), .draft(let intent, _):
                standings[id] = .draft(intent, draftId: draftId)
            default: break
            }
        case .answered(let id, let rootId, let replyId):
            standings[id] = .answered(rootId: rootId, replyId: replyId)
            failureCounts[id] = nil
            if replyId != nil { answered[rootId, default: []].insert(id) }
        case .refused(let id, let reason): standings[id] = .refused(reason)
        case .failure(let id): failureCounts[id, default: 0] += 1
        case .givenUp(let id): standings[id] = .givenUp
        }
    }

    // MARK: The file

    /// Reads the lines of a ledger.
    /// - Returns: what they say, and whether any was cut or malformed: it is passed over, and
    ///   what the others say holds.
    public static func read(_ bytes: [UInt8]) -> (ledger: AgentLedger, isDamaged: Bool) {
        var ledger = AgentLedger()
        var isDamaged = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let record = Record(line: Array(line)) {
                ledger.add(record)
            } else {
                isDamaged = true
            }
        }
        return (ledger, isDamaged)
    }

    /// The fewest lines that say the same.
    public var bytes: [UInt8] {
        var records: [Record] = times.sorted { $0.key < $1.key }.map {
            .message(id: $0.key, time: $0.value)
        }
        for (id, count) in failureCounts.sorted(by: { $0.key < $1.key }) {
            records += Array(repeating: .failure(messageId: id), count: count)
        }
        for (id, standing) in standings.sorted(by: { $0.key < $1.key }) {
            switch standing {
            case .intent(let intent): records.append(.intent(intent))
            case .draft(let intent, let draftId):
                records += [.intent(intent), .draft(messageId: id, draftId: draftId)]
            case .answered(let rootId, let replyId):
                records.append(.answered(messageId: id, rootId: rootId, replyId: replyId))
            case .refused(let reason): records.append(.refused(messageId: id, reason: reason))
            case .givenUp: records.append(.givenUp(messageId: id))
            }
        }
        return records.flatMap(\.line)
    }
}

extension AgentLedger.Record {
    private enum Key {
        static let record = "record"
        static let draftId = "draft_id"
        static let replyId = "reply_id"
        static let reason = "reason"
    }

    /// The word that a line begins with.
    private enum Kind: String {
        case message, intent, draft, answered, refused, failure
        case givenUp = "given_up"
    }

    /// One line of JSON, its end included.
    public var line: [UInt8] { JSON.object(document).bytes + [UInt8(ascii: "\n")] }

    private var document: JSONObject {
        switch self {
        case .message(let id, let time):
            Self.document(.message, [Field.id: .integer(id), Field.time: .double(time)])
        case .intent(let intent): Self.document(.intent, intent.document)
        case .draft(let id, let draftId):
            Self.document(.draft, [Field.id: .integer(id), Key.draftId: .integer(draftId)])
        case .answered(let id, let rootId, let replyId):
            Self.document(
                .answered,
                [
                    Field.id: .integer(id), Field.rootId: .integer(rootId),
                    Key.replyId: replyId.map { JSON.integer($0) } ?? .null,
                ])
        case .refused(let id, let reason):
            Self.document(.refused, [Field.id: .integer(id), Key.reason: .string(reason)])
        case .failure(let id): Self.document(.failure, [Field.id: .integer(id)])
        case .givenUp(let id): Self.document(.givenUp, [Field.id: .integer(id)])
        }
    }

    private static func document(_ kind: Kind, _ document: JSONObject) -> JSONObject {
        JSONObject(fields: [(Key.record, .string(kind.rawValue))] + document.fields)
    }

    /// Nil when the line is no record.
    init?(line: [UInt8]) {
        guard let value = try? JSON.read(line), let fields = try? FieldReader(value, as: "record"),
            let kind = (try? fields.string(Key.record)).flatMap({ $0 }).flatMap(Kind.init),
            let id = (try? fields.id(Field.id)).flatMap({ $0 })
        else { return nil }
        do throws(ShapeError) {
            switch kind {
            case .message:
                self = .message(
                    id: id, time: try fields.required(Field.time, try fields.double(Field.time)))
            case .intent: self = .intent(try AnswerIntent(fields))
            case .draft:
                self = .draft(
                    messageId: id,
                    draftId: try fields.required(Key.draftId, try fields.id(Key.draftId)))
            case .answered:
                self = .answered(
                    messageId: id,
                    rootId: try fields.required(Field.rootId, try fields.id(Field.rootId)),
                    replyId: try fields.id(Key.replyId))
            case .refused:
                self = .refused(messageId: id, reason: try fields.string(Key.reason) ?? "")
            case .failure: self = .failure(messageId: id)
            case .givenUp: self = .givenUp(messageId: id)
            }
        } catch {
            return nil
        }
    }
}
