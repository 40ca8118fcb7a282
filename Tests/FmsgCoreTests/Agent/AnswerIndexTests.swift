import Testing

@testable import FmsgCore

@Suite struct AnswerIndexTests {
    /// A sent message that replies to `pid`.
    private func reply(
        _ id: Int64, to pid: Int64?, isDraft: Bool = false, reaction: String? = nil
    ) throws -> FmsgMessage {
        try FmsgMessage(document: [
            Field.id: .integer(id), Field.pid: pid.map { JSON.integer($0) } ?? .null,
            Field.time: isDraft ? .null : .integer(1),
            Field.reaction: reaction.map(JSON.string) ?? .null,
        ])
    }

    private func read(
        _ list: [FmsgMessage], downTo floor: Int64, since known: AnswerIndex? = nil,
        between: (inout [FmsgMessage], Int) -> Void = { _, _ in }
    ) -> (index: AnswerIndex, requests: Int) {
        var list = list.sorted { $0.id > $1.id }
        var index = known ?? AnswerIndex(downTo: floor)
        var action = known == nil ? index.start() : index.refresh()
        var requests = 0
        while case .readPage(let offset, let limit) = action {
            let page = Array(list.dropFirst(offset).prefix(limit))
            requests += 1
            between(&list, requests)
            action = index.next(page: page)
        }
        return (index, requests)
    }

    @Test func repliesAndDraftsAreFoundByTheirParents() throws {
        let (index, requests) = read(
            [
                try reply(10, to: 1), try reply(11, to: 2, isDraft: true),
                try reply(12, to: 2, isDraft: true), try reply(13, to: 3, reaction: "👍"),
                try reply(14, to: nil),
            ], downTo: 1)
        #expect(requests == 1)
        #expect(index.answer(to: 1) == 10)
        #expect(index.answer(to: 2) == nil)
        #expect(index.drafts(to: 2).map(\.id).sorted() == [11, 12])
        #expect(index.answer(to: 3) == nil)
    }

    @Test func itIsReadDownToTheFloorAndNoFurther() throws {
        let list = try (1...1000).map { try reply($0 * 2, to: $0 * 2 - 1) }
        #expect(read(list, downTo: 1900).requests == 1)
        let (index, requests) = read(list, downTo: 1)
        #expect(requests == 11)
        for id in stride(from: Int64(1), to: 2000, by: 2) {
            #expect(index.answer(to: id) == id + 1)
        }
    }

    @Test func itIsBroughtUpToDateByWhatIsNew() throws {
        var list = try (1...1000).map { try reply($0 * 2, to: $0 * 2 - 1) }
        list.append(try reply(2010, to: 2009, isDraft: true))
        let (first, _) = read(list, downTo: 1)
        #expect(first.answer(to: 2009) == nil && first.drafts(to: 2009).count == 1)
        // The draft is sent, and so is more.
        list[1000] = try reply(2010, to: 2009)
        list.append(try reply(2012, to: 2011))
        let (second, requests) = read(list, downTo: 1, since: first)
        #expect(requests == 1)
        #expect(second.answer(to: 2009) == 2010 && second.drafts(to: 2009).isEmpty)
        #expect(second.answer(to: 2011) == 2012 && second.answer(to: 1) == 2)
        // More than a page is new: it is read down to what is known.
        list += try (1100...1349).map { try reply($0 * 2, to: $0 * 2 - 1) }
        let (third, more) = read(list, downTo: 1, since: second)
        #expect(more == 3)
        for id in stride(from: Int64(2199), to: 2699, by: 2) {
            #expect(third.answer(to: id) == id + 1)
        }
    }

    /// Field case F36, for the sent list.
    @Test func deletionsBetweenPagesHideNothing() throws {
        let list = try (1...500).map { try reply($0 * 2, to: $0 * 2 - 1) }
        for count in [1, 3, 50] {
            let (index, _) = read(list, downTo: 1) { list, request in
                if request == 2 { list.removeFirst(count) }
            }
            for id in stride(from: Int64(1), to: 900, by: 2) {
                #expect(index.answer(to: id) == id + 1, "\(count) deleted")
            }
        }
    }
}
