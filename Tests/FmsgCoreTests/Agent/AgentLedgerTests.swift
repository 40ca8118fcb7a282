import Testing

@testable import FmsgCore

@Suite struct AgentLedgerTests {
    private var intent: AnswerIntent {
        AnswerIntent(
            messageId: 7, rootId: 5,
            reply: NewMessage(
                to: ["@alice@example.com"],
                parent: ParentReference(id: 7, batchSHA256: String(repeating: "a", count: 64)),
                type: "text/markdown", text: "line\nline \u{1F44D}", isNoReply: true,
                isTerminal: true),
            otherDrafts: [3, 4])
    }

    private var records: [AgentLedger.Record] {
        [
            .message(id: 7, time: 1_796_000_000.25), .failure(messageId: 7), .intent(intent),
            .draft(messageId: 7, draftId: 9),
            .answered(messageId: 1, rootId: 1, replyId: 2),
            .answered(messageId: 3, rootId: 1, replyId: nil),
            .refused(messageId: 11, reason: "no \"such\" thing"), .givenUp(messageId: 12),
            .failure(messageId: 13), .failure(messageId: 13),
            .answered(messageId: .max, rootId: 1, replyId: .max),
        ]
    }

    private func ledger(_ records: [AgentLedger.Record]) -> AgentLedger {
        var ledger = AgentLedger()
        for record in records { ledger.add(record) }
        return ledger
    }

    @Test func whatIsWrittenIsRead() {
        let read = AgentLedger.read(records.flatMap(\.line))
        #expect(!read.isDamaged)
        #expect(read.ledger == ledger(records))
        #expect(read.ledger[7] == .draft(intent, draftId: 9))
        #expect(read.ledger[11] == .refused("no \"such\" thing"))
        #expect(read.ledger[12] == .givenUp)
        #expect(read.ledger[99] == nil)
        #expect(read.ledger.failures(of: 13) == 2)
        #expect(read.ledger.unfinished == [7])
        #expect(read.ledger.time(of: 7) == 1_796_000_000.25 && read.ledger.time(of: 11) == nil)
        // Without a reply nothing counts.
        #expect(read.ledger.replies(under: 1) == 2)
        let rewritten = AgentLedger.read(read.ledger.bytes)
        #expect(rewritten.ledger == read.ledger && !rewritten.isDamaged)
    }

    /// Field case F34: cut at every byte, what stands before holds.
    @Test func aCutLedgerKeepsItsGoodLines() {
        let bytes = records.flatMap(\.line)
        var whole = 0
        for length in 0...bytes.count {
            let cut = Array(bytes.prefix(length))
            let lines = cut.count { $0 == UInt8(ascii: "\n") }
            whole = max(whole, lines)
            let (read, isDamaged) = AgentLedger.read(cut)
            #expect(isDamaged == (cut.last.map { $0 != UInt8(ascii: "\n") } ?? false))
            // A line that lacks only its end says all that it has to say.
            let expected = [lines, lines + 1].map { ledger(Array(records.prefix($0))) }
            #expect(expected.contains(read), "cut at \(length)")
        }
        #expect(whole == records.count)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"record":"later","id":1}"#, #"{"record":"intent","id":1}"#,
        #"{"record":"draft","id":-1,"draft_id":2}"#, #"{"record":"answered","id":"1"}"#,
        "\u{0}", #"{"record":7,"id":1}"#,
    ])
    func aLineThatIsNoRecordIsPassedOver(_ line: String) {
        let after = AgentLedger.Record.givenUp(messageId: 5).line
        let (read, isDamaged) = AgentLedger.read(Array(line.utf8) + [0x0A] + after)
        #expect(read == ledger([.givenUp(messageId: 5)]))
        #expect(isDamaged == !line.isEmpty)
    }
}
