import FmsgCore
import TestSupport
import Testing

@Suite struct ThreadTests {
    private func message(_ id: Int64, pid: Int64? = nil, text: String? = "hi") throws -> FmsgMessage
    {
        let parent = pid.map { #""pid":\#($0),"# } ?? ""
        let preview = text.map { #","short_text":"\#($0)""# } ?? ""
        return try .json(
            #"{"id":\#(id),\#(parent)"time":1,"from":"@a@b","type":"text/plain","size":2\#(preview)}"#
        )
    }

    @Test func aWalkFindsTheRoot() throws {
        var walk = LineageWalk(triggerId: 3)
        #expect(walk.start() == .fetchMessage(3))
        #expect(walk.fetched(try message(3, pid: 2)) == .fetchMessage(2))
        let cut = try message(2, pid: 1, text: "h")
        #expect(walk.fetched(cut) == .fetchBody(cut))
        #expect(
            walk.fetched(body: MessageBody(type: "text/plain", bytes: Array("ho".utf8)))
                == .fetchMessage(1))
        guard case .finished(let thread) = walk.fetched(try message(1)) else {
            Issue.record("it goes on above the root")
            return
        }
        #expect(thread.rootId == 1 && thread.triggerId == 3 && thread.isComplete)
        #expect(thread.messages.map(\.id) == [1, 2, 3])
        #expect(thread.visibleMessages.map { $0.body?.text } == ["hi", "ho", "hi"])
    }

    @Test func anInvisibleAncestorEndsIt() throws {
        var walk = LineageWalk(triggerId: 3)
        _ = walk.fetched(try message(3, pid: 2))
        guard case .finished(let thread) = walk.ancestorIsInvisible(2) else {
            Issue.record("it goes on above what cannot be seen")
            return
        }
        #expect(thread.messages.map(\.visible) == [false, true])
        #expect(!thread.isComplete && thread.rootId == 2)
    }

    @Test func aCircleAndADeepLineageEndIt() throws {
        var circle = LineageWalk(triggerId: 2)
        _ = circle.fetched(try message(2, pid: 1))
        #expect(circle.fetched(try message(1, pid: 2)) == .tooDeep)
        var deep = LineageWalk(triggerId: 1000)
        var action = deep.start()
        var fetches = 0
        while case .fetchMessage(let id) = action {
            fetches += 1
            action = deep.fetched(try message(id, pid: id - 1))
        }
        #expect(action == .tooDeep)
        #expect(fetches == LineageWalk.maximumDepth)
    }

    @Test func theReplyTargetIsTheLastThatTakesReplies() async throws {
        let body = #"""
            {"messages":[{"id":1,"visible":true,"time":1,"from":"@a@b","to":["@c@d"]},
            {"id":2,"visible":false},
            {"id":3,"visible":true,"pid":2,"time":2,"from":"@c@d","no_reply":true},
            {"id":4,"visible":true,"pid":3,"time":3,"from":"@c@d","terminal":true}]}
            """#
        let client = FmsgClient(
            host: .example, credential: .token(TestToken.jwt(#"{"sub":"@a@b"}"#)),
            transport: ReplayTransport(
                response: TransportResponse(status: 200, body: Array(body.utf8))),
            clock: .still)
        let thread = try await client.thread(.id(4))
        #expect(thread.rootId == 1 && thread.triggerId == 4)
        #expect(thread.replyTarget?.id == 1)
        #expect(thread.participants == ["@a@b", "@c@d"])
    }
}
