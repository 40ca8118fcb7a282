import FmsgCore
import Testing

@testable import FmsgRepl

struct ConversationTests {
    /// 1 ── 2 ┬ 3 ── 6
    ///        ├ 4
    ///        └ 5
    private let tree: ThreadTree

    init() throws {
        tree = try ThreadTree.sample(
            lineage: [1, 2, 3], [(6, 3), (4, 2), (5, 2), (8, 7), (2, 1)])
    }

    @Test func aTreeHoldsWhatHangsOnTheLineage() {
        #expect(tree.rows.map(\.entry.id) == [1, 2, 3, 6, 4, 5])
        #expect(tree.rows.map(\.parentId) == [nil, 1, 2, 3, 2, 2])
        #expect(tree.rows.map(\.branches) == [[], [], [true], [true], [true], [false]])
        #expect(tree.rows.map(\.beginsBranch) == [false, false, true, false, true, true])
        #expect(tree.path(to: 6) == [1, 2, 3, 6])
        #expect(tree.path(to: 8) == [])
    }

    @Test func stepsFollowTheLine() {
        typealias Step = OpenMessage
        #expect(Step.next(after: 2, in: tree, along: [1, 2, 4]) == .to(4))
        #expect(Step.next(after: 2, in: tree, along: [1, 2]) == .to(3))
        #expect(Step.next(after: 2, in: tree, along: [1, 2, 4], branch: 3) == .to(5))
        #expect(Step.next(after: 2, in: tree, along: [], branch: 4) == .replies(3))
        #expect(Step.next(after: 6, in: tree, along: [1, 2, 3, 6]) == .end)
        #expect(Step.previous(before: 6, in: tree) == .to(3))
        #expect(Step.previous(before: 1, in: tree) == .end)
        #expect(Step.up(from: 6, in: tree) == .to(2))
        #expect(Step.up(from: 2, in: tree) == .to(1))
        #expect(Step.up(from: 1, in: tree) == .end)
    }

    @Test func aReplyToAMessageOfTheThreadMakesItOld() throws {
        var open = OpenMessage(try .sample(3), topic: "", tree: tree)
        open.noteReply(to: 99)
        open.noteReply(to: nil)
        #expect(open.tree != nil)
        open.noteReply(to: 5)
        #expect(open.tree == nil)
        #expect(open.line == [1, 2, 3])
    }

    @Test func aHostileTreeEnds() throws {
        // Each is the other's parent, and one its own.
        let tree = try ThreadTree.sample(lineage: [1], [(2, 3), (3, 2), (1, 1), (4, 1)])
        #expect(tree.rows.map(\.entry.id) == [1, 4])
    }
}
