import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// What an agent answers and what it leaves alone, against a real host.
@Suite struct AgentDecisionTests {
    @Test func aMessageIsAnsweredOnce() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send(
            "@bob@example.com", "@carol@example.com", "Hello?", "-t", "T")
        let run = await rig.agent("cat >/dev/null; printf 'hi there'")
        #expect(run.exitCode == .done, "\(run.err)")
        let replies = try await rig.replies(to: id)
        let reply = try #require(replies.first)
        #expect(replies.count == 1 && reply["short_text"] == .string("hi there"))
        #expect(reply["to"] == .strings(["@alice@example.com", "@carol@example.com"]))
        #expect(reply["no_reply"] == .bool(false))
        let replyId = reply["id"]?.text ?? ""
        #expect(
            run.out
                == #"{"type":"answered","id":\#(id),"reply_id":\#(replyId),"root_id":\#(id)}"#
                + "\n")
        #expect(try await rig.unread().isEmpty)
        let again = await rig.agent("printf again")
        #expect(again.exitCode == .done && again.out.isEmpty)
        #expect(try await rig.replies(to: id).count == 1)
    }

    @Test func decisionsAreRecordsInAPipe() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let run = await rig.bob.run("agent", "--once", "--exec", "printf hi")
        let replyId = try await rig.replies(to: id).first?["id"]?.text ?? ""
        #expect(run.out == "answered\t\(id)\t\(replyId)\n")
    }

    /// Field cases F2 and F7.
    @Test func whatIsNeverAnsweredIsMarkedRead() async throws {
        let rig = try AgentRig()
        let own = try await rig.bob.send("@bob@example.com", "@alice@example.com", "to myself")
        let noReply = try await rig.alice.send("@bob@example.com", "no reply", "--no-reply")
        let terminal = try await rig.alice.send("@bob@example.com", "the end", "--terminal")
        _ = await rig.alice.run("react", own, "👍")
        let draft = try await FmsgClient.of(rig.host, "alice").createDraft(
            NewMessage(to: ["@bob@example.com"], text: "not sent"))
        let run = await rig.agent("printf hi")
        #expect(run.exitCode == .done, "\(run.err)")
        let decisions = try run.decisions
        #expect(decisions.allSatisfy { $0["type"] == .string("skipped") })
        let reasons = decisions.compactMap { $0["reason"]?.string }
        #expect(Set(reasons) == ["own", "no_reply", "terminal", "reaction"])
        #expect(!decisions.contains { $0["id"] == .integer(draft) })
        #expect(try await rig.unread().isEmpty)
        #expect(try await rig.replies(to: noReply).isEmpty)
        #expect(try await rig.replies(to: terminal).isEmpty)
    }

    @Test func onlyWhoIsAllowedIsAnswered() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let other = await rig.agent("printf hi", "--allow", "@carol@example.com")
        #expect(try other.decisions.first?["reason"] == .string("sender_not_allowed"))
        #expect(try await rig.unread() == [id])
        #expect(
            await rig.agent("printf hi", "--allow", "*@example.org").out.contains("not_allowed"))
        let marking = await rig.agent(
            "printf hi", "--allow", "@carol@example.com", "--mark-skipped")
        #expect(marking.exitCode == .done)
        #expect(try await rig.unread().isEmpty)
        let second = try await rig.alice.send("@bob@example.com", "Hello?")
        _ = await rig.agent("printf hi", "--allow", "@ALICE@Example.com")
        #expect(try await rig.replies(to: second).count == 1)
        #expect(try await rig.replies(to: id).isEmpty)
    }

    @Test func whatIsTooOldIsLeftUnread() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let run = await rig.agent("printf hi", "--since", "2100-01-01")
        #expect(try run.decisions.first?["reason"] == .string("too_old"))
        #expect(try await rig.unread() == [id])
    }

    @Test func aDryRunChangesNothing() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let noReply = try await rig.alice.send("@bob@example.com", "x", "--no-reply")
        let run = await rig.agent("printf hi", "--dry-run")
        #expect(
            run.out == """
                {"type":"due","id":\(id)}
                {"type":"skipped","id":\(noReply),"reason":"no_reply"}

                """)
        #expect(try await rig.unread().sorted() == [id, noReply].sorted())
        #expect(try LocalFileSystem().list(rig.state.path).isEmpty)
    }

    /// A draft that somebody made by hand is theirs.
    @Test func aDraftMadeByHandIsLeftAlone() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let draft = try await FmsgClient.of(rig.host, "bob").createDraft(
            NewMessage(
                to: ["@alice@example.com"], parent: ParentReference(id: try #require(Int64(id))),
                text: "hi"))
        // The very same text.
        let run = await rig.agent("printf hi")
        #expect(run.exitCode == .done)
        #expect(run.err.contains("draft \(draft) of a reply is not the agent's"))
        #expect(try await rig.replies(to: id).count == 1)
        #expect(try await rig.drafts().map { $0["id"]?.int64 } == [draft])
    }

    @Test func whatAPersonHasAnsweredIsNotAnswered() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        #expect(await rig.bob.run("reply", id, "by hand").exitCode == .done)
        let run = await rig.agent("printf hi")
        #expect(try run.decisions.first?["reason"] == .string("answered"))
        #expect(try await rig.replies(to: id).count == 1)
        #expect(try await rig.unread().isEmpty)
    }

    /// The last look notices who answers while the handler runs.
    @Test func whoAnswersMeanwhileIsNoticed() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let (there, gate) = (try Fifo(), try Fifo())
        let running = try rig.bob.start(
            "agent", "--once", "--json", "--exec",
            "echo >'\(there.path)'; read -r _ <'\(gate.path)'; printf late")
        _ = try await there.nextLine()
        #expect(await rig.bob.run("reply", id, "by hand").exitCode == .done)
        try gate.writeLine("go on")
        #expect(await running.exitCode() == .done)
        let replies = try await rig.replies(to: id)
        #expect(replies.map { $0["short_text"] } == [.string("by hand")])
        #expect(try await rig.drafts().isEmpty)
    }

    /// Field case F7, and design: the cap survives a restart; the last reply wants none.
    @Test(arguments: [HostGeneration.current, .july2026])
    func twoAgentsEndAtTheCap(_ age: HostGeneration) async throws {
        let rig = try AgentRig { $0.generation = age }
        let carol = rig.user("carol")
        let root = try await rig.alice.send("@bob@example.com", "Talk!", "-t", "T")
        let first = await rig.bob.run("reply-all", root, "x", "--to", "@carol@example.com")
        #expect(first.exitCode == .done)
        _ = await rig.bob.run("mark-read", root)
        var rounds = 0
        while rounds < 20 {
            rounds += 1
            let a = await rig.agent("printf carol", "--max-replies", "3", line: carol)
            let b = await rig.agent("printf bob", "--max-replies", "3")
            #expect(a.exitCode == .done && b.exitCode == .done, "\(a.err)\(b.err)")
            if a.out.isEmpty && b.out.isEmpty { break }
        }
        let sent = try await carol.run("sent", "--json", "--all").json.array ?? []
        #expect((1...3).contains(sent.count))
        let bobs = try await rig.bob.run("sent", "--json", "--all").json.array ?? []
        #expect(bobs.count <= 3)
        let newest = [sent.first, bobs.first].compactMap { $0 }
        #expect(newest.contains { $0["no_reply"] == .bool(true) })
        if age == .current { #expect(newest.contains { $0["terminal"] == .bool(true) }) }
    }
}
