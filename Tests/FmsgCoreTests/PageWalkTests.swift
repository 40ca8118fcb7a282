import Testing

@testable import FmsgCore

@Suite struct PageWalkTests {
    /// Field case F36, for lists: a draft is deleted while they are paged.
    @Test(arguments: [1, 3, 50, 120])
    func whatIsDeletedBetweenPagesHidesNothing(_ count: Int) throws {
        var inbox = try PagedInbox(1...450)
        var walk = PageWalk()
        var found: Set<Int64> = []
        var pages = 0
        while !walk.isAtEnd {
            let page = inbox.page(walk.offset, 100)
            found.formUnion(walk.take(page, limit: 100).map(\.id))
            pages += 1
            if pages == 1 { inbox.remove(Set((451 - Int64(count))...450)) }
        }
        #expect(found.isSuperset(of: Set(1...(450 - Int64(count)))))
    }

    @Test func withoutOverlapAPageIsARequest() throws {
        let inbox = try PagedInbox(1...200)
        var walk = PageWalk(overlap: 0)
        var found: [Int64] = []
        for _ in 0..<2 { found += walk.take(inbox.page(walk.offset, 100), limit: 100).map(\.id) }
        #expect(found == Array((1...200).reversed()))
    }

    /// A draft of the same text that another makes meanwhile is not taken for one's own.
    @Test func anothersEqualDraftIsLeftAlone() {
        var settlement = SendSettlement()
        let lost = FmsgError.transport(TransportError(.broken, "x", mayHaveArrived: true))
        let receipt = SendSettlement.Receipt(id: 101, time: 1, sha256: nil)
        _ = settlement.start()
        _ = settlement.next(after: .failed(lost))
        _ = settlement.next(after: .waited)
        #expect(settlement.next(after: .foundDrafts([])) == .createDraft)
        #expect(settlement.next(after: .created(101)) == .sendDraft(101))
        #expect(settlement.next(after: .sent(receipt)) == .searchDrafts)
        #expect(settlement.next(after: .foundDrafts([102, 100])) == .deleteDraft(100))
        #expect(settlement.next(after: .deleted) == .finished(receipt))
    }

    @Test func theHostsOwnPauseIsKeptWithinReason() {
        var settlement = SendSettlement(draftId: 1)
        _ = settlement.start()
        let busy = FmsgError.refused(
            HostRefusal(
                route: .send,
                response: TransportResponse(status: 429, headers: [Header("Retry-After", "9")])))
        #expect(settlement.next(after: .failed(busy)) == .wait(9))
    }
}
