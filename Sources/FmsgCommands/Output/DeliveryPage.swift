import CommandLineTool
import FmsgCore

/// Where a sent message stands with each recipient, in words.
struct DeliveryPage: Sendable {
    let output: Output

    /// The keys that this program adds.
    static let delivery = "delivery"
    private static let state = "state"
    private static let meaning = "meaning"
    private static let advice = "advice"

    /// One recipient a line: in a pipe id, address, state, time, meaning and advice.
    func write(_ message: FmsgMessage) throws(OutputError) {
        let all = message.allDelivery
        let width = all.map { DisplayText.width(DisplayText.escape($0.address)) }.max() ?? 0
        for delivery in all {
            let (word, meaning, advice) = Self.words(delivery.state, delivery.responseCode)
            guard output.width != nil else {
                try output.record([
                    String(message.id), delivery.address, word, delivery.timeDelivered ?? "",
                    meaning ?? "", advice ?? "",
                ])
                continue
            }
            let address = DisplayText.pad(DisplayText.escape(delivery.address), width: width)
            let isFailed = Self.isFailed(delivery)
            var line = "\(address)  \(isFailed ? output.style.apply(.red, to: word) : word)"
            if let time = delivery.timeDelivered { line += "  \(DisplayText.escape(time))" }
            if let meaning { line += ": \(meaning)" }
            if let advice { line += "; \(advice)" }
            try output.line(line)
        }
    }

    static func json(_ message: FmsgMessage) -> JSON {
        .array(
            message.allDelivery.map { delivery in
                let (word, meaning, advice) = words(delivery.state, delivery.responseCode)
                var object: JSONObject = [
                    Field.address: .string(delivery.address), state: .string(word),
                    Field.timeDelivered: delivery.timeDelivered.map(JSON.string) ?? .null,
                    Field.responseCode: delivery.responseCode.map { .integer($0.value) } ?? .null,
                ]
                if let meaning { object[Self.meaning] = .string(meaning) }
                if let advice { object[Self.advice] = .string(advice) }
                return .object(object)
            })
    }

    /// What is wrong with the delivery of `message`; nil when nothing is.
    static func failure(of message: FmsgMessage, beginning: String = "") -> CommandFailure? {
        let all = message.allDelivery
        let failed = all.filter(isFailed)
        guard !failed.isEmpty else { return nil }
        let names = failed.prefix(3).map { DisplayText.escape($0.address) }
        let more = failed.count > names.count ? " and \(failed.count - names.count) more" : ""
        return CommandFailure(
            "\(beginning)\(failed.count) of \(all.count) recipients failed: "
                + names.joined(separator: ", ") + more,
            exitCode: .someFailed, messageId: message.id)
    }

    private static func isFailed(_ delivery: RecipientDelivery) -> Bool {
        if case .failed = delivery.state { true } else { false }
    }

    private static func words(
        _ state: RecipientDelivery.State, _ code: ResponseCode?
    ) -> (word: String, meaning: String?, advice: String?) {
        switch state {
        case .delivered: ("delivered", nil, nil)
        case .pending: ("pending", code?.meaning, nil)
        case .failed(let code): ("failed", code.meaning, code.advice)
        }
    }
}
