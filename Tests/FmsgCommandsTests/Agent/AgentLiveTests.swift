import CommandLineTool
import FmsgCore
import FmsgHost
import Synchronization
import TestSupport
import Testing

/// An agent that goes on.
@Suite struct AgentLiveTests {
    /// The next decision, notices of the connection left out.
    private func decision(_ running: RunningCommand) async throws -> JSON {
        while true {
            let value = try JSON.read(try await running.nextLine())
            if value["id"] != nil { return value }
        }
    }

    @Test func whatIsThereAndWhatArrivesIsAnswered() async throws {
        let rig = try AgentRig()
        let before = try await rig.alice.send("@bob@example.com", "before")
        let agent = try rig.bob.start("agent", "--json", "--exec", "printf hi")
        #expect(try await decision(agent)["id"]?.text == before)
        #expect(try await agent.nextLine() == #"{"type":"ready"}"#)
        let after = try await rig.alice.send("@bob@example.com", "after")
        let second = try await decision(agent)
        #expect(second["type"] == .string("answered") && second["id"]?.text == after)
        agent.cancel()
        #expect(await agent.exitCode() == .interrupted)
        #expect(try await rig.replies(to: before).count == 1)
        #expect(try await rig.replies(to: after).count == 1)
    }

    @Test func aFailureIsTriedAgainWhileOthersGoOn() async throws {
        let rig = try AgentRig()
        let flag = "\(rig.state.path)/flag"
        let agent = try rig.bob.start(
            "agent", "--json", "--input", "text", "--exec",
            "read -r l; [ \"$l\" = ok ] || [ -e '\(flag)' ] || { : >'\(flag)'; exit 3; }; printf hi"
        )
        #expect(try await agent.nextLine() == #"{"type":"ready"}"#)
        let bad = try await rig.alice.send("@bob@example.com", "once")
        #expect(try await decision(agent)["type"] == .string("failed"))
        let good = try await rig.alice.send("@bob@example.com", "ok")
        var answered: [String?] = []
        for _ in 0..<2 { answered.append(try await decision(agent)["id"]?.text) }
        #expect(Set(answered) == [bad, good])
        #expect(try await rig.replies(to: bad).count == 1)
        agent.cancel()
        _ = await agent.exitCode()
    }

    @Test func aHostThatIsAwayAtTheStartIsWaitedFor() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let (line, proxy) = try rig.bob(through: { request, number in
            request.path == "/fmsg/token" && number == 0 ? .answered(.status(503)) : .none
        })
        defer { proxy.stop() }
        let agent = try line.start("agent", "--json", "--exec", "printf hi")
        let lost = try JSON.read(try await agent.nextLine())
        #expect(lost["type"] == .string("disconnected"))
        #expect(try await decision(agent)["id"]?.text == id)
        #expect(try await agent.nextLine() == #"{"type":"ready"}"#)
        agent.cancel()
        #expect(await agent.exitCode() == .interrupted)
    }

    /// Field case F11: what came while the host was away is answered when it is back, and what was
    /// answered before is not answered again.
    @Test func aHostThatComesBackIsServedAgain() async throws {
        let rig = try AgentRig()
        let host = rig.host
        let target = Mutex(host.url)
        let proxy = try FaultProxy(to: { target.withLock { $0 } })
        defer { proxy.stop() }
        var line = rig.bob
        line.environment["FMSG_API_URL"] = proxy.url
        let agent = try line.start("agent", "--json", "--exec", "printf hi")
        #expect(try await agent.nextLine() == #"{"type":"ready"}"#)
        let before = try await rig.alice.send("@bob@example.com", "before")
        #expect(try await decision(agent)["id"]?.text == before)
        host.host.stop()
        let lost = try JSON.read(try await agent.nextLine())
        #expect(lost["type"] == .string("disconnected"))
        try host.host.start()
        var alice = rig.alice
        alice.environment["FMSG_API_URL"] = host.url
        let meanwhile = try await alice.send("@bob@example.com", "meanwhile")
        target.withLock { $0 = host.url }
        #expect(try await decision(agent)["id"]?.text == meanwhile)
        agent.cancel()
        #expect(await agent.exitCode() == .interrupted)
        let inbox = try await alice.run("inbox", "--json", "--all").json.array ?? []
        #expect(inbox.compactMap { $0["pid"]?.text } == [meanwhile, before])
    }

    /// The running handler is ended; the message is answered next time.
    @Test func anInterruptedHandlerLosesNothing() async throws {
        let rig = try AgentRig()
        let id = try await rig.alice.send("@bob@example.com", "Hello?")
        let there = try Fifo()
        let agent = try rig.bob.start(
            "agent", "--json", "--exec", "echo >'\(there.path)'; sleep 1000")
        _ = try await there.nextLine()
        agent.cancel()
        #expect(await agent.exitCode() == .interrupted)
        #expect(try await rig.unread() == [id])
        #expect(await rig.agent("printf hi").exitCode == .done)
        #expect(try await rig.replies(to: id).count == 1)
    }

    /// Field case F7 live: two agents talk until the cap.
    @Test func twoAgentsTalkUntilTheCap() async throws {
        let rig = try AgentRig()
        let options = ["--json", "--max-replies", "3", "--exec", "printf again"]
        let bob = try rig.bob.start(["agent"] + options)
        let carol = try rig.user("carol").start(["agent"] + options)
        _ = try await (bob.nextLine(), carol.nextLine())
        // Carol's own message counts as one of her three.
        _ = try await rig.user("carol").send("@bob@example.com", "Talk!", "-t", "T")
        for type in ["answered", "answered", "skipped"] {
            #expect(try await decision(bob)["type"] == .string(type))
        }
        for _ in 0..<2 { #expect(try await decision(carol)["type"] == .string("answered")) }
        for agent in [bob, carol] {
            agent.cancel()
            _ = await agent.exitCode()
        }
        let bobs = try await rig.bob.run("sent", "--json", "--all").json.array ?? []
        let carols = try await rig.user("carol").run("sent", "--json", "--all").json.array ?? []
        #expect(bobs.count == 2 && carols.count == 3)
        #expect(carols.first?["terminal"] == .bool(true))
        #expect(carols.first?["no_reply"] == .bool(true))
    }
}
