import Testing

@testable import FmsgCore

@Suite struct AgentPolicyTests {
    private let me = Identity(
        address: "@owner_bot@example.com", owner: "@owner@example.com", tokenExpiresAt: nil)

    private func message(
        from sender: String = "@alice@example.com", _ fields: JSONObject = [:]
    ) throws -> FmsgMessage {
        let document: JSONObject = [
            Field.id: .integer(1), Field.from: .string(sender), Field.time: .integer(100),
        ]
        return try FmsgMessage(document: JSONObject(fields: document.fields + fields.fields))
    }

    @Test func theDefaultIsTheOwnersDomain() throws {
        let policy = AgentPolicy()
        for sender in ["@owner@example.com", "@alice@EXAMPLE.com"] {
            #expect(policy.decision(on: try message(from: sender), for: me) == .answer)
        }
        for sender in ["@eve@example.org", "@eve@sub.example.com", "nonsense"] {
            #expect(
                policy.decision(on: try message(from: sender), for: me)
                    == .skip(.senderNotAllowed, marksRead: false))
        }
        // Who has no owner acts for itself.
        let alone = Identity(address: "@bob@example.org", owner: nil, tokenExpiresAt: nil)
        #expect(policy.decision(on: try message(from: "@eve@example.org"), for: alone) == .answer)
        #expect(policy.decision(on: try message(), for: alone) != .answer)
    }

    @Test func namingSomebodyReplacesTheDefaultButNotTheOwner() throws {
        let policy = AgentPolicy(
            senders: .only([
                try SenderPattern("@eve@example.org"), try SenderPattern("*@münchen.de"),
            ]))
        for sender in ["@Eve@example.org", "@x@MÜNCHEN.de", "@OWNER@example.com"] {
            #expect(policy.decision(on: try message(from: sender), for: me) == .answer)
        }
        #expect(policy.decision(on: try message(), for: me) != .answer)
        #expect(
            AgentPolicy(senders: .everyone).decision(on: try message(from: "@a@b"), for: me)
                == .answer)
        for text in ["*", "*@", "*@a@b", "eve@x", "@*@x", "*@-x"] {
            #expect(throws: FmsgAddressError.self) { try SenderPattern(text) }
        }
    }

    @Test func whatIsNeverAnswered() throws {
        let policy = AgentPolicy(senders: .everyone)
        func decision(_ message: FmsgMessage) -> AgentPolicy.Decision {
            policy.decision(on: message, for: me)
        }
        #expect(
            decision(try message(from: "@Owner_Bot@example.com")) == .skip(.own, marksRead: true))
        let yes = JSON.bool(true)
        #expect(
            decision(try message([Field.reaction: .string("")]))
                == .skip(.reaction, marksRead: true))
        #expect(
            decision(try message([Field.terminal: yes])) == .skip(.terminal, marksRead: true))
        #expect(decision(try message([Field.noReply: yes])) == .skip(.noReply, marksRead: true))
        #expect(decision(try message([Field.read: yes])) == .ignore)
        #expect(decision(try message([Field.time: .null])) == .ignore)
    }

    @Test func ageAndSendersAreMarkedReadWhenAskedFor() throws {
        var policy = AgentPolicy(senders: .everyone, since: 101)
        #expect(
            policy.decision(on: try message(), for: me) == .skip(.tooOld, marksRead: false))
        policy.marksSkipped = true
        #expect(policy.decision(on: try message(), for: me) == .skip(.tooOld, marksRead: true))
        policy.since = 100
        #expect(policy.decision(on: try message(), for: me) == .answer)
    }

    @Test func theLastReplyWantsNoneInReturn() throws {
        let old = try message([Field.to: .strings(["@owner_bot@example.com"])])
        let new = try message([Field.terminal: .bool(false)])
        func plan(_ message: FmsgMessage, _ isLast: Bool) -> NewMessage {
            AnswerPlan(to: message, rootId: 1, as: me, type: "text/plain", isLast: isLast).reply
        }
        #expect(!plan(new, false).isNoReply && !plan(new, false).isTerminal)
        #expect(plan(new, true).isNoReply && plan(new, true).isTerminal)
        #expect(plan(old, true).isNoReply && !plan(old, true).isTerminal)
        #expect(plan(old, false).to == ["@alice@example.com", "@owner@example.com"])
    }
}
