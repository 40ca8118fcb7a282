import FmsgCore
import Testing

/// A host at the other end of a line that loses answers where a script says so.
private struct LossyHost {
    enum Fault: CaseIterable, Sendable {
        case none, requestLost, answerLost, refused500
    }

    var drafts: Set<Int64> = []
    var sent: [Int64] = []
    /// The numbers of the files that each draft has.
    var attached: [Int64: Set<Int>] = [:]
    private var nextId: Int64 = 1
    /// What befalls the n-th creation or send; none once it is used up.
    var script: [Fault]
    var looksFail = 0

    init(_ script: [Fault]) { self.script = script }

    static let lost = FmsgError.transport(
        TransportError(.broken, "the connection broke", mayHaveArrived: true))

    mutating func answer(_ action: SendSettlement.Action) -> SendSettlement.Input {
        switch action {
        case .createDraft:
            return change { host in
                let id = host.nextId
                host.nextId += 1
                host.drafts.insert(id)
                return .created(id)
            }
        case .attach(let number, let id):
            return change { host in
                host.attached[id, default: []].insert(number)
                return .attached
            }
        case .sendDraft(let id):
            return change { host in
                if host.drafts.remove(id) != nil { host.sent.append(id) }
                return .sent(.init(id: id, time: 1, sha256: nil))
            }
        case .look(let id):
            if looksFail > 0 {
                looksFail -= 1
                return .failed(Self.lost)
            }
            if sent.contains(id) { return .looked(.sent(.init(id: id, time: 1, sha256: nil))) }
            return .looked(drafts.contains(id) ? .unsent : .gone)
        case .searchDrafts: return .foundDrafts(Array(drafts))
        case .deleteDraft(let id):
            drafts.remove(id)
            return .deleted
        case .wait, .finished, .failed: return .waited
        }
    }

    private mutating func change(
        _ apply: (inout LossyHost) -> SendSettlement.Input
    ) -> SendSettlement.Input {
        switch script.isEmpty ? .none : script.removeFirst() {
        case .none: return apply(&self)
        case .requestLost: return .failed(Self.lost)
        case .answerLost:
            _ = apply(&self)
            return .failed(Self.lost)
        case .refused500:
            return .failed(.host(status: 500, "failed"))
        }
    }

    /// Runs a settlement to its end.
    mutating func settle(
        attachments: Int = 0, goal: SendSettlement.Goal = .send
    ) -> (end: SendSettlement.Action, steps: Int) {
        var settlement = SendSettlement(attachments: attachments, goal: goal)
        var action = settlement.start()
        var steps = 0
        while true {
            switch action {
            case .finished, .failed: return (action, steps)
            default: break
            }
            steps += 1
            if steps > 100 { return (action, steps) }
            action = settlement.next(after: answer(action))
        }
    }
}

extension FmsgError {
    /// A refusal as the client makes it of an answer.
    static func host(status: Int, _ words: String) -> FmsgError {
        let body = JSON.object([Field.error: .string(words)]).bytes
        return .refused(
            HostRefusal(route: .send, response: TransportResponse(status: status, body: body)))
    }
}

@Suite struct SendSettlementTests {
    /// Every sequence of four faults: whatever is lost, at most one message is ever sent, what
    /// is told is what is true, and no draft of ours is left beside a sent message.
    @Test func everySequenceOfFaultsSettles() {
        let faults = LossyHost.Fault.allCases
        for a in faults {
            for b in faults {
                for c in faults {
                    for d in faults {
                        var host = LossyHost([a, b, c, d])
                        let (end, steps) = host.settle()
                        let script = "\(a) \(b) \(c) \(d)"
                        #expect(steps <= 100, "\(script) does not end")
                        #expect(host.sent.count <= 1, "\(script) sent twice")
                        if case .finished(let receipt) = end {
                            #expect(host.sent == [receipt.id], "\(script)")
                            #expect(host.drafts.isEmpty, "\(script) left a draft")
                        } else {
                            #expect(host.sent.isEmpty, "\(script) was sent but told failed")
                        }
                    }
                }
            }
        }
    }

    /// The same with two files: what is sent has both, and what fails leaves nothing.
    @Test(arguments: LossyHost.Fault.allCases, LossyHost.Fault.allCases)
    fileprivate func everySequenceOfFaultsIsAllOrNothing(a: LossyHost.Fault, b: LossyHost.Fault) {
        let faults = LossyHost.Fault.allCases
        for rest in 0..<(faults.count * faults.count * faults.count) {
            let c = faults[rest % faults.count]
            let d = faults[rest / faults.count % faults.count]
            let e = faults[rest / faults.count / faults.count]
            for goal in [SendSettlement.Goal.send, .keepDraft] {
                var host = LossyHost([.none, a, b, c, d, e])
                let (end, steps) = host.settle(attachments: 2, goal: goal)
                let script = "\(goal) \(a) \(b) \(c) \(d) \(e)"
                #expect(steps <= 100, "\(script) does not end")
                if case .finished(let receipt) = end {
                    #expect(host.attached[receipt.id] == [0, 1], "\(script)")
                    #expect(host.sent == (goal == .send ? [receipt.id] : []), "\(script)")
                    #expect(host.drafts == (goal == .send ? [] : [receipt.id]), "\(script)")
                } else {
                    #expect(host.sent.isEmpty && host.drafts.isEmpty, "\(script)")
                }
            }
        }
    }

    @Test func aRefusedFileTakesTheDraftAlong() {
        var settlement = SendSettlement(attachments: 5)
        #expect(settlement.start() == .createDraft)
        #expect(settlement.next(after: .created(7)) == .attach(0, to: 7))
        #expect(settlement.next(after: .attached) == .attach(1, to: 7))
        #expect(settlement.next(after: .attached) == .attach(2, to: 7))
        let refusal = FmsgError.host(status: 413, "attachment exceeds maximum size")
        #expect(settlement.next(after: .failed(refusal)) == .look(7))
        #expect(settlement.isAbandoning)
        var sentByAnother = settlement
        #expect(settlement.next(after: .looked(.unsent)) == .deleteDraft(7))
        #expect(settlement.isAbandoning)
        // A host that will not delete it: it is looked at again, and never sent.
        let forbidden = FmsgError.host(status: 403, "no")
        #expect(settlement.next(after: .failed(forbidden)) == .look(7))
        #expect(settlement.next(after: .looked(.unsent)) == .deleteDraft(7))
        #expect(settlement.next(after: .deleted) == .failed(refusal))
        let receipt = SendSettlement.Receipt(id: 7, time: 2, sha256: nil)
        #expect(sentByAnother.next(after: .looked(.sent(receipt))) == .failed(refusal))
    }

    @Test func aFileThatCannotBeReadIsNotTriedAgain() {
        var settlement = SendSettlement(attachments: 1)
        _ = settlement.start()
        _ = settlement.next(after: .created(7))
        let changed = FmsgError.transport(
            TransportError(.source, "it changed while it was read", mayHaveArrived: true))
        #expect(settlement.next(after: .failed(changed)) == .look(7))
        #expect(settlement.next(after: .looked(.unsent)) == .deleteDraft(7))
        #expect(settlement.next(after: .deleted) == .failed(changed))
    }

    @Test func anInterruptionBetweenTheFilesTakesTheDraftAlong() {
        var settlement = SendSettlement(attachments: 2)
        _ = settlement.start()
        _ = settlement.next(after: .created(7))
        _ = settlement.next(after: .attached)
        #expect(settlement.next(after: .failed(.cancelled)) == .look(7))
        #expect(settlement.isAbandoning)
        #expect(settlement.next(after: .looked(.unsent)) == .deleteDraft(7))
        #expect(settlement.next(after: .deleted) == .failed(.cancelled))
    }

    @Test func aDraftThatIsKeptIsNotDeleted() {
        var settlement = SendSettlement(draftId: 7, isDraftKept: true)
        #expect(settlement.start() == .sendDraft(7))
        let refusal = FmsgError.host(status: 400, "message is not sendable: no recipients")
        #expect(settlement.next(after: .failed(refusal)) == .look(7))
        #expect(settlement.next(after: .looked(.unsent)) == .failed(refusal))
    }

    @Test func theUsualCaseIsTwoRequests() {
        var host = LossyHost([])
        let (end, steps) = host.settle()
        #expect(steps == 2)
        #expect(end == .finished(.init(id: 1, time: 1, sha256: nil)))
    }

    @Test func aRefusalOfTheCreationEndsIt() {
        var settlement = SendSettlement()
        #expect(settlement.start() == .createDraft)
        let refusal = FmsgError.host(status: 413, "message data exceeds maximum size")
        #expect(settlement.next(after: .failed(refusal)) == .failed(refusal))
    }

    @Test func anUnreachableHostEndsItAtOnce() {
        var settlement = SendSettlement()
        _ = settlement.start()
        let error = FmsgError.transport(
            TransportError(.unreachable, "refused", mayHaveArrived: false))
        #expect(settlement.next(after: .failed(error)) == .failed(error))
    }

    /// 409 means several things: only a look tells (web API, section 8).
    @Test func aRefusedSendIsLookedAtBeforeTheDraftIsDeleted() {
        var settlement = SendSettlement(draftId: 7)
        #expect(settlement.start() == .sendDraft(7))
        let refusal = FmsgError.host(status: 409, "message already sent")
        #expect(settlement.next(after: .failed(refusal)) == .look(7))
        var other = settlement
        let receipt = SendSettlement.Receipt(id: 7, time: 2, sha256: nil)
        #expect(settlement.next(after: .looked(.sent(receipt))) == .finished(receipt))
        #expect(other.next(after: .looked(.unsent)) == .deleteDraft(7))
        #expect(other.next(after: .deleted) == .failed(refusal))
    }

    @Test func anOutcomeThatCannotBeFoundOutNamesTheDraft() {
        var host = LossyHost([.none, .answerLost])
        host.looksFail = .max
        let (end, _) = host.settle()
        guard case .failed(.outcomeUnknown(1, _)) = end else {
            Issue.record("it ended with \(end)")
            return
        }
    }

    @Test func aLookThatComesThroughInTheEndSettlesIt() {
        var host = LossyHost([.none, .answerLost])
        host.looksFail = 5
        #expect(host.settle().end == .finished(.init(id: 1, time: 1, sha256: nil)))
    }

    @Test func anInterruptionDuringTheSendIsAnUnknownOutcome() {
        var settlement = SendSettlement(draftId: 7)
        _ = settlement.start()
        guard case .failed(.outcomeUnknown(7, _)) = settlement.next(after: .failed(.cancelled))
        else {
            Issue.record("it is told as something else")
            return
        }
    }
}
