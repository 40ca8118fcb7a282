import Testing

@testable import FmsgCore

/// An inbox that is paged like a host's: id descending, by offset.
struct PagedInbox {
    var messages: [FmsgMessage]

    /// Messages with these ids; an id in `drafts` is somebody's draft.
    init(_ ids: some Sequence<Int64>, drafts: Set<Int64> = [], read: Set<Int64> = []) throws {
        messages = try ids.sorted(by: >).map { id in
            try FmsgMessage.listed(id, isDraft: drafts.contains(id), isRead: read.contains(id))
        }
    }

    func page(_ offset: Int, _ limit: Int) -> [FmsgMessage] {
        Array(messages.dropFirst(offset).prefix(limit))
    }

    mutating func remove(_ ids: Set<Int64>) { messages.removeAll { ids.contains($0.id) } }
}

extension FmsgMessage {
    /// An item of a list.
    static func listed(
        _ id: Int64, time: Double? = nil, isDraft: Bool = false, isRead: Bool = false
    ) throws -> FmsgMessage {
        var document: JSONObject = [
            Field.id: .integer(id), Field.from: .string("@a@b"), Field.read: .bool(isRead),
        ]
        document[Field.time] = isDraft ? .null : .double(time ?? Double(id))
        return try FmsgMessage(document: document)
    }
}

@Suite struct InboxCatchUpTests {
    /// Runs a catch-up to its end.
    private func run(
        _ catchUp: InboxCatchUp, over inbox: PagedInbox,
        isNew: (FmsgMessage) -> Bool = { _ in true },
        between: (inout PagedInbox, Int) -> Void = { _, _ in }
    ) -> (found: [Int64], requests: Int) {
        var catchUp = catchUp
        var inbox = inbox
        var action = catchUp.start()
        var requests = 0
        while case .readPage(let offset, let limit) = action {
            requests += 1
            let page = inbox.page(offset, limit)
            between(&inbox, requests)
            action = catchUp.next(page: page, isNew: isNew)
        }
        guard case .finished(let messages) = action else { return ([], requests) }
        return (messages.map(\.id), requests)
    }

    @Test func allThatIsNewIsFoundInOrderOfTime() throws {
        let inbox = try PagedInbox(1...950)
        let (found, requests) = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: false), over: inbox)
        #expect(found == Array(1...950))
        #expect(requests == 10)
    }

    @Test func tenThousandNewOnesTakePagesAndTheOverlap() throws {
        let inbox = try PagedInbox(1...10_000)
        let (found, requests) = run(InboxCatchUp(lookBack: 1000, goesOnWhileNew: true), over: inbox)
        #expect(found.count == 10_000)
        // 100 pages, and 3 in 100 met twice.
        #expect(requests <= 104)
    }

    @Test func theLookBackEndsIt() throws {
        let inbox = try PagedInbox(1...5000)
        let plain = run(InboxCatchUp(lookBack: 1000, goesOnWhileNew: false), over: inbox)
        #expect(plain.requests == 11)
        let known = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: true), over: inbox,
            isNew: { $0.id > 4999 || $0.id == 3 })
        #expect(known.found == [5000] && known.requests == 11)
        let readOnes = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: true), over: inbox,
            isNew: { $0.id % 500 == 0 })
        #expect(readOnes.found == [4000, 4500, 5000])
    }

    /// Field case F36: a draft is deleted between two pages.
    @Test(arguments: [1, 2, 3, 10, 100, 150])
    func whatIsDeletedBetweenPagesHidesNothing(_ count: Int) throws {
        let drafts = Set((1001 - Int64(count))...1000)
        let inbox = try PagedInbox(1...1000, drafts: drafts)
        let (found, _) = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: false), over: inbox,
            between: { inbox, request in
                if request == 1 { inbox.remove(drafts) }
            })
        #expect(found == Array(1...(1000 - Int64(count))))
    }

    @Test func whatArrivesBetweenPagesIsNoHindrance() throws {
        let inbox = try PagedInbox(1...1000)
        let (found, _) = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: true), over: inbox,
            between: { inbox, request in
                if request < 4,
                    let more = try? PagedInbox(Int64(request * 2000)...Int64(request * 2000 + 149))
                {
                    inbox.messages = more.messages + inbox.messages
                }
            })
        #expect(found.count >= 1000 && Set(found).isSuperset(of: Set(1...1000)))
    }

    @Test func aListThatNeverStandsStillIsReadToAnEnd() throws {
        let inbox = try PagedInbox(1...10_000)
        let (_, requests) = run(
            InboxCatchUp(lookBack: 1000, goesOnWhileNew: false), over: inbox,
            between: { inbox, _ in inbox.remove(Set(inbox.messages.prefix(100).map(\.id))) })
        #expect(requests < 60)
    }

    @Test func aHostThatRepeatsItselfEndsIt() throws {
        let page = try PagedInbox(1...100).messages
        var catchUp = InboxCatchUp(lookBack: 1000, goesOnWhileNew: true)
        var action = catchUp.start()
        var requests = 0
        while case .readPage = action {
            requests += 1
            try #require(requests < 50)
            action = catchUp.next(page: page) { _ in true }
        }
        guard case .finished(let messages) = action else { return }
        #expect(messages.count == 100)
    }

    /// Field case F2: a draft is no message, and is met again once it is sent.
    @Test func aDraftIsNotHandedOut() throws {
        let inbox = try PagedInbox(1...5, drafts: [3])
        let (found, _) = run(InboxCatchUp(lookBack: 1000, goesOnWhileNew: false), over: inbox)
        #expect(found == [1, 2, 4, 5])
    }

    @Test func seenIdsAreExactAndSmall() {
        var seen = SeenMessages()
        let ids = (0..<2000).map { _ in Int64.random(in: 1...3000) } + [1, .max, .max - 1]
        var reference: Set<Int64> = []
        for id in ids { #expect(seen.insert(id) == reference.insert(id).inserted) }
        for id in 1...3000 where id % 7 == 0 {
            seen.remove(Int64(id))
            reference.remove(Int64(id))
        }
        for id in Array(1...3001) + [Int64.max, .max - 1, .max - 2] {
            #expect(seen.contains(id) == reference.contains(id))
        }
        var dense = SeenMessages()
        for id in Array(Int64(1)...100_000).shuffled() { _ = dense.insert(id) }
        #expect(dense.rangeCount == 1)
    }
}
