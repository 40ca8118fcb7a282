import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// What a handler gets, and whatever it may do (field cases F8, F32, F33).
@Suite struct AgentHandlerTests {
    /// The reply to one message by one handler.
    private func reply(
        to text: String, _ handler: String, _ options: String...
    ) async throws -> (rig: AgentRig, run: Run, text: String) {
        let rig = try AgentRig()
        _ = try await rig.alice.send("@bob@example.com", "-m", text, "-t", "T")
        let run = await rig.bob.run(
            ["agent", "--once", "--json", "--exec", handler] + options)
        guard let replyId = try run.decisions.first?["reply_id"]?.text else {
            return (rig, run, "")
        }
        let shown = try await rig.bob.run("show", replyId, "--json").json
        return (rig, run, shown["body"]?["text"]?.string ?? "")
    }

    @Test func itGetsTheMessageItsLineageAndTheTurns() async throws {
        let (_, run, text) = try await reply(to: "Hello?", "cat")
        #expect(run.exitCode == .done, "\(run.err)")
        let given = try JSON.read(text)
        #expect(given["me"]?["address"] == .string("@bob@example.com"))
        #expect(given["message"]?["body"]?["text"] == .string("Hello?"))
        #expect(given["lineage"]?[0]?["topic"] == .string("T"))
        #expect(given["turns"]?[0]?["role"] == .string("user"))
        #expect(given["turns"]?[0]?["content"] == .string("@alice@example.com:\nHello?"))
    }

    @Test func aSecretInItsAnswerIsReplaced() async throws {
        let (rig, run, text) = try await reply(
            to: "Your key?", "printf 'It is fmsgk_id_verysecret, Bob'")
        #expect(text == "It is [redacted API key], Bob")
        #expect(run.err.contains("1 secret is replaced"))
        let ledger = try LocalFileSystem().read(try rig.ledger(), limit: 1 << 20)
        #expect(!String(decoding: ledger, as: UTF8.self).contains("verysecret"))
    }

    @Test func itGetsLessWhereAskedTo() async throws {
        #expect(try await reply(to: "a\nb", "cat", "--input", "text").text == "a\nb")
        let (_, _, turns) = try await reply(to: "x", "cat", "--input", "turns")
        #expect(turns == #"[{"role":"user","content":"@alice@example.com:\nx"}]"# + "\n")
    }

    /// Field case F33.
    @Test func aLongBodyIsWhole() async throws {
        let long = String(repeating: "0123456789", count: 2000)
        #expect(try await reply(to: long, "cat", "--input", "text").text == long)
        #expect(
            try await reply(to: long, "wc -c | tr -d ' \\n'", "--input", "text").text == "20000")
    }

    @Test func itsEnvironmentTellsOfTheMessageAndHoldsNoKey() async throws {
        let words =
            "$FMSG_EVENT $FMSG_FROM $FMSG_TOPIC ${FMSG_API_KEY:+key} $FMSG_MESSAGE_ID=$FMSG_ROOT_ID"
        let (_, run, text) = try await reply(to: "x", "printf %s \"\(words)\"")
        let id = try run.decisions.first?["id"]?.text ?? ""
        #expect(text == "new_msg @alice@example.com T  \(id)=\(id)")
        let passed = try await reply(
            to: "x", "printf %s \"${FMSG_API_KEY:+key}\"", "--pass-credentials")
        #expect(passed.text == "key")
    }

    /// Field case F32.
    @Test func aTextIsNeverRunByAShell() async throws {
        let evil = "$(touch pwned) `touch pwned`; touch pwned"
        let (rig, _, text) = try await reply(
            to: evil, "cd '/nonexistent' 2>/dev/null; cat", "--input", "text")
        #expect(text == evil)
        #expect(try LocalFileSystem().status("pwned") == nil)
        _ = rig
    }

    @Test func theTypeIsAsAskedFor() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "x")
        _ = await rig.agent("printf '# Hi'", "--type", "text/markdown")
        #expect(try await rig.replies(to: id).first?["type"] == .string("text/markdown"))
    }

    @Test func nothingPrintedIsNoReply() async throws {
        let (rig, run, _) = try await reply(to: "x", "true")
        #expect(try run.decisions.first?["reason"] == .string("empty_answer"))
        #expect(run.exitCode == .done)
        #expect(try await rig.unread().isEmpty)
    }

    @Test(arguments: [
        ("exit 3", "status 3"), ("sleep 1000", "after 0.2 seconds"),
        ("kill -9 $$", "signal 9"), ("printf '\\377'", "not UTF-8"),
        ("exec yes", "wrote more than 10485760 bytes"),
        ("trap '' TERM; sleep 1000; sleep 1000", "after 0.2 seconds"),
    ])
    func aHandlerThatFailsIsReportedAndLeavesTheMessage(
        _ handler: String, _ words: String
    ) async throws {
        let limit = words.contains("0.2") ? "0.2" : "60"
        let (rig, run, _) = try await reply(to: "x", handler, "--timeout", limit)
        #expect(run.exitCode == .someFailed)
        let decision = try #require(try run.decisions.first)
        #expect(decision["type"] == .string("failed"))
        #expect(decision["reason"]?.string?.contains(words) == true, "\(run.out)")
        #expect(decision["given_up"] == .bool(false))
        #expect(try await rig.unread().count == 1)
        #expect(try await rig.drafts().isEmpty)
    }

    @Test func aChildLeftBehindHoldsNothingUp() async throws {
        let (_, run, text) = try await reply(to: "x", "sleep 1000 & printf ok")
        #expect(run.exitCode == .done && text == "ok")
    }

    /// Field case F8: one that always fails stops no other, and is given up.
    @Test func onePoisonMessageBlocksNoOther() async throws {
        let rig = try AgentRig()
        let bad = try await rig.alice.send("@bob@example.com", "poison")
        let good = try await rig.alice.send("@bob@example.com", "fine")
        let handler = "read -r line; [ \"$line\" = fine ] && printf ok"
        let run = await rig.agent(handler, "--input", "text", "--retries", "2")
        #expect(run.exitCode == .someFailed)
        #expect(try await rig.replies(to: good).count == 1)
        let second = await rig.agent(handler, "--input", "text", "--retries", "2")
        #expect(try second.decisions.first?["given_up"] == .bool(true))
        let third = await rig.agent(handler, "--input", "text", "--retries", "2")
        #expect(third.exitCode == .done)
        #expect(try third.decisions.first?["reason"] == .string("given_up"))
        #expect(try await rig.unread() == [bad])
    }

    @Test func theHandlerIsNeeded() async throws {
        let rig = try AgentRig()
        #expect(await rig.bob.run("agent", "--once").exitCode == .usage)
        let both = await rig.bob.run(
            "agent", "--exec", "x", "--allow", "@a@b", "--allow-all")
        #expect(both.exitCode == .usage)
    }
}
