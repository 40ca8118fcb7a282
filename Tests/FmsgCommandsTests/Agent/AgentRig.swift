import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// A host, and Bob, whose agent has a state folder of its own.
final class AgentRig: Sendable {
    let host: TestHost
    let state: TemporaryFolder
    let alice: CommandLine
    let bob: CommandLine

    /// - Parameter users: of the host; alice and bob are needed.
    init(configure: (inout HostConfiguration) -> Void = { _ in }) throws {
        host = try TestHost(configure: configure)
        state = try TemporaryFolder(prefix: "fmsg-test-state")
        alice = CommandLine(host, as: "alice")
        bob = Self.line(host, "bob", state)
    }

    deinit {
        host.stop()
        state.remove()
    }

    private static func line(
        _ host: TestHost, _ user: String, _ state: TemporaryFolder
    ) -> CommandLine {
        var line = CommandLine(host, as: user)
        line.environment["FMSG_STATE_DIR"] = state.path
        return line
    }

    /// Bob's line through a proxy that loses what `fault` says.
    func bob(
        through fault: @escaping @Sendable (ScriptedRequest, Int) -> FaultProxy.Fault
    ) throws -> (line: CommandLine, proxy: FaultProxy) {
        let proxy = try FaultProxy(to: host.url, fault: fault)
        var line = bob
        line.environment["FMSG_API_URL"] = proxy.url
        return (line, proxy)
    }

    /// Another user, with a ledger in the same folder.
    func user(_ name: String) -> CommandLine { Self.line(host, name, state) }

    /// One run of Bob's agent, with its decisions as JSON.
    func agent(
        _ handler: String, _ options: String..., line: CommandLine? = nil
    ) async -> Run {
        await (line ?? bob).run(["agent", "--once", "--json", "--exec", handler] + options)
    }

    /// The replies to a message that have reached Alice, oldest first.
    func replies(to id: String) async throws -> [JSON] {
        let inbox = try await alice.run("inbox", "--json", "--all").json
        return (inbox.array ?? []).filter { $0["pid"]?.text == id }.reversed()
    }

    /// Bob's unread messages.
    func unread() async throws -> [String] {
        let inbox = try await bob.run("inbox", "--json", "--all", "--unread", "--reactions").json
        return (inbox.array ?? []).compactMap { $0["id"]?.text }
    }

    func drafts() async throws -> [JSON] {
        let list = try await bob.run("sent", "--drafts", "--json", "--all").json
        return (list.array ?? []).filter { $0["time"] == .null }
    }

    /// The one ledger.
    func ledger() throws -> String {
        let names = try LocalFileSystem().list(state.path).filter { $0.hasSuffix(".jsonl") }
        try #require(names.count == 1)
        return "\(state.path)/\(names[0])"
    }
}

extension Run {
    /// stdout as the values that its lines are.
    var decisions: [JSON] {
        get throws { try lines.map { try JSON.read($0) } }
    }
}
