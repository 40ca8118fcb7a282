import CommandLineTool
import FmsgCore

/// Prints what an agent decides and does, a line each.
struct AgentReport: Sendable {
    let context: CommandContext

    private enum Key {
        static let replyId = "reply_id"
        static let givenUp = "given_up"
    }

    /// Every key that a line can have, for `--fields`.
    static let keys = [
        Field.type, Field.id, Key.replyId, Field.rootId, Watch.reason, Key.givenUp, Watch.retryIn,
    ]

    func ready(as address: String) throws {
        if context.wantsJSON {
            try context.output.write([Field.type: .string("ready")], flush: true)
        } else {
            context.say("answering as \(address)")
        }
    }

    func disconnected(_ reason: String, retryIn: Double) throws {
        if context.wantsJSON {
            try context.output.write(
                [
                    Field.type: .string("disconnected"), Watch.reason: .string(reason),
                    Watch.retryIn: .double((retryIn * 1000).rounded() / 1000),
                ], flush: true)
        }
        context.say("\(reason); trying again in \(Int(retryIn.rounded(.up))) s")
    }

    func answered(_ id: Int64, by replyId: Int64, under rootId: Int64) throws {
        try write(
            "answered", id, String(replyId),
            [Key.replyId: .integer(replyId), Field.rootId: .integer(rootId)])
    }

    func skipped(_ id: Int64, _ reason: SkipReason) throws {
        try write("skipped", id, reason.rawValue, [Watch.reason: .string(reason.rawValue)])
    }

    /// - Parameter isFinal: whether it is never tried again.
    func failed(_ id: Int64, _ reason: String, isFinal: Bool) throws {
        try write(
            "failed", id, reason, [Watch.reason: .string(reason), Key.givenUp: .bool(isFinal)])
    }

    /// What a dry run would answer.
    func due(_ id: Int64) throws { try write("due", id, "", [:]) }

    func say(_ text: String) { context.say(text) }

    /// Whether a person reads what is said, and not cron.
    var hasPerson: Bool { context.runtime.terminal.isTerminal(.error) }

    private func write(
        _ type: String, _ id: Int64, _ detail: String, _ fields: JSONObject
    ) throws {
        if context.wantsJSON {
            let head: [JSONObject.Field] = [
                (Field.type, .string(type)), (Field.id, .integer(id)),
            ]
            return try context.output.write(
                JSONObject(fields: head + fields.fields), flush: true)
        }
        if context.isOnTerminal {
            let line = "\(id) \(type)\(detail.isEmpty ? "" : ": \(DisplayText.escape(detail))")"
            try context.output.line(line, flush: true)
        } else {
            try context.output.record([type, String(id), detail], flush: true)
        }
    }
}
