import Testing

@testable import FmsgCore

/// Field case F4: whatever dies when, and whatever answer is lost, there is one reply.
@Suite struct AnswerTaskTests {
    private typealias Kill = AnsweringHost.Kill

    private func expectOneReply(_ host: AnsweringHost, _ script: String) {
        #expect(host.sent.count == 1, "\(script): \(host.sent.count) replies")
        #expect(host.drafts.isEmpty, "\(script): left a draft")
        #expect(host.isRead, "\(script): left unread")
        #expect(host.ledger.unfinished.isEmpty, "\(script): unfinished")
    }

    /// How many actions an undisturbed life has.
    private func length() throws -> Int {
        var host = AnsweringHost()
        _ = try host.live()
        return host.actions
    }

    private func kills() throws -> [Kill?] {
        try [nil] + (0..<length() + 6).flatMap { [Kill.before($0), .after($0)] }
    }

    @Test func theUsualCase() throws {
        var host = AnsweringHost()
        #expect(try host.live() == .answered(replyId: 20))
        // Create, look, look for an answer, send, mark read.
        #expect(host.requests == 5)
        #expect(host.runs == 1)
        expectOneReply(host, "undisturbed")
        #expect(host.ledger.replies(under: AnsweringHost.rootId) == 1)
    }

    /// Two kills in a row at every pair of points.
    @Test func everyPairOfKillsLeavesOneReply() throws {
        for first in try kills() {
            for second in try kills() {
                var host = AnsweringHost()
                _ = try host.live(killed: first)
                _ = try host.live(killed: second)
                let end = try host.live()
                let script = "\(String(describing: first)), \(String(describing: second))"
                expectOneReply(host, script)
                if case .skipped(.answered) = end {
                    Issue.record("\(script): taken for somebody else's")
                }
            }
        }
    }

    /// A kill at every point with two faults at every pair of requests.
    @Test func everyKillWithFaultsLeavesOneReply() throws {
        let faults = AnsweringHost.Fault.allCases
        for kill in try kills() {
            for first in 0..<7 {
                for second in first + 1..<8 {
                    for (a, b) in faults.flatMap({ a in faults.map { (a, $0) } }) {
                        var host = AnsweringHost()
                        host.faults = [first: a, second: b]
                        _ = try host.live(killed: kill)
                        host.faults = [:]
                        _ = try host.live()
                        expectOneReply(
                            host, "\(String(describing: kill)) \(first):\(a) \(second):\(b)")
                    }
                }
            }
        }
    }

    /// The second life is disturbed, too.
    @Test func faultsAfterAKillLeaveOneReply() throws {
        for kill in try kills() {
            for at in 0..<8 {
                for fault in AnsweringHost.Fault.allCases {
                    var host = AnsweringHost()
                    _ = try host.live(killed: kill)
                    host.faults = [at: fault]
                    _ = try host.live()
                    host.faults = [:]
                    _ = try host.live()
                    expectOneReply(host, "\(String(describing: kill)) \(at):\(fault)")
                }
            }
        }
    }

    /// Once the answer is written down it is that one which is sent.
    @Test func theHandlerIsNotRunAgainAfterTheIntent() throws {
        for number in 2..<(try length()) {
            var host = AnsweringHost()
            _ = try host.live(killed: .before(number))
            _ = try host.live()
            #expect(host.runs == 1)
            #expect(host.sent.values.first?.text == "first")
        }
    }

    /// With the ledger gone the sent list tells (step 2).
    @Test func withoutALedgerNothingSentIsAnsweredAgain() throws {
        for kill in try kills() {
            var host = AnsweringHost()
            _ = try host.live(killed: kill)
            let wasSent = !host.sent.isEmpty
            host.lines = []
            _ = try host.live()
            #expect(host.sent.count == 1 && host.isRead)
            if wasSent { #expect(host.runs == 1) }
        }
    }

    @Test func anAnswerByAPersonMeanwhileIsTheOne() throws {
        var host = AnsweringHost()
        // After the look at the draft, before the last look for an answer.
        host.interventions = [5: { $0.sent[99] = .init(text: "by hand") }]
        #expect(try host.live() == .skipped(.answered))
        #expect(host.sent.keys.sorted() == [99])
        #expect(host.drafts.isEmpty && host.isRead)
    }

    @Test func aWithdrawnDraftIsNotMadeAgain() throws {
        var host = AnsweringHost()
        host.interventions = [4: { $0.drafts = [:] }]
        #expect(try host.live() == .skipped(.withdrawn))
        #expect(host.sent.isEmpty && host.isRead)
    }

    @Test func aChangedDraftIsLeftToWhoChangedIt() throws {
        var host = AnsweringHost()
        host.interventions = [4: { $0.drafts[20]?.text = "changed" }]
        #expect(try host.live() == .skipped(.draftChanged))
        #expect(host.sent.isEmpty && !host.isRead && host.drafts[20]?.text == "changed")
        // Once its author has sent it, it is the reply.
        host.sent[20] = host.drafts.removeValue(forKey: 20)
        #expect(try host.live() == .answered(replyId: 20))
        expectOneReply(host, "sent by hand")
    }

    @Test(arguments: [400, 403, 409, 413])
    func aRefusalIsFinalWhereverTheProcessIsKilled(_ status: Int) throws {
        for kill in try kills() {
            var host = AnsweringHost()
            host.refusesSend = status
            _ = try host.live(killed: kill)
            let end = try host.live()
            guard case .refused = end else {
                Issue.record("\(String(describing: kill)) ended with \(String(describing: end))")
                continue
            }
            #expect(host.sent.isEmpty && !host.isRead)
        }
        var host = AnsweringHost()
        host.refusesSend = status
        _ = try host.live()
        #expect(host.drafts.isEmpty)
    }

    @Test func aRefusedCreationIsFinal() throws {
        var host = AnsweringHost()
        host.refusesCreation = 413
        guard case .refused(let error) = try host.live() else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.message == "no")
        #expect(host.ledger[AnsweringHost.messageId] == .refused("no"))
        #expect(!host.isRead)
    }

    @Test func aHostThatIsAwayPutsItOff() throws {
        var host = AnsweringHost()
        for number in 1..<60 { host.faults[number] = .failed500 }
        guard case .postponed = try host.live() else {
            Issue.record("it is not postponed")
            return
        }
        #expect(host.sent.isEmpty)
        host.faults = [:]
        #expect(try host.live() == .answered(replyId: 20))
        expectOneReply(host, "back again")
    }

    /// Field case F7: an empty answer means no reply.
    @Test(arguments: ["", "\n", " \t\n"])
    func anEmptyAnswerIsNoReply(_ text: String) throws {
        var host = AnsweringHost()
        host.handler = [.answer(text)]
        #expect(try host.live() == .skipped(.emptyAnswer))
        #expect(host.sent.isEmpty && host.drafts.isEmpty && host.isRead)
        #expect(host.ledger.replies(under: AnsweringHost.rootId) == 0)
    }

    /// Field case F8.
    @Test func aHandlerThatFailsIsGivenUpInTheEnd() throws {
        var host = AnsweringHost()
        host.handler = [.handlerFailed("status 3")]
        #expect(try host.live() == .handlerFailed("status 3", isFinal: false))
        #expect(try host.live() == .handlerFailed("status 3", isFinal: false))
        #expect(try host.live() == .handlerFailed("status 3", isFinal: true))
        #expect(host.ledger[AnsweringHost.messageId] == .givenUp)
        #expect(!host.isRead && host.runs == 3)
        _ = try host.live()
        #expect(host.runs == 3)
    }

    @Test func aHandlerThatRecoversAnswers() throws {
        var host = AnsweringHost()
        host.handler = [.handlerFailed("status 3"), .answer("now")]
        _ = try host.live()
        #expect(try host.live() == .answered(replyId: 20))
        #expect(host.ledger.failures(of: AnsweringHost.messageId) == 0)
    }

    @Test func aCreationThatTurnsUpLateIsDeleted() throws {
        var host = AnsweringHost()
        host.faults = [0: .requestLost]
        // The lost creation reaches the host after the search has not found it.
        host.interventions = [6: { $0.drafts[19] = .init(text: "first") }]
        #expect(try host.live() == .answered(replyId: 20))
        expectOneReply(host, "late creation")
    }
}
