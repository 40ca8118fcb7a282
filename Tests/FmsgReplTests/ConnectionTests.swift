import CommandLineTool
import FmsgHost
import Synchronization
import TestSupport
import Testing

/// The prompt while its host comes and goes.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    let host: TestHost
    let bob: PromptLine

    init() throws {
        host = try TestHost()
        bob = PromptLine(host, as: "bob")
    }

    @Test func withoutAHostThereIsAPrompt() async throws {
        let terminal = try ReplTerminal(
            url: "http://127.0.0.1:\(ScriptedServer.closedPort())", key: host.key("alice"))
        try await terminal.wait { $0.line == "fmsg offline> " }
        #expect(terminal.screen.lines.contains { $0.hasPrefix("offline: ") })
        try terminal.type("inbox\r")
        try await terminal.wait { screen in
            screen.lines.contains { $0.hasPrefix("fmsg: ") && $0.contains("connect") }
        }
        try terminal.type("exit\r")
        #expect(await terminal.exitStatus() == 0)
    }

    @Test func whatComesWhileTheHostIsAwayAppearsWhenItIsBack() async throws {
        let flag = Flag()
        let proxy = try FaultProxy(to: host.url) { request, number in
            if flag.isSet { return .requestLost }
            // Cut within the first event.
            let isSocket = request.header("Upgrade") != nil
            return isSocket && number == 0 ? .socketCut(after: 400) : .none
        }
        defer { proxy.stop() }
        let terminal = try ReplTerminal(url: proxy.url, key: host.key("alice"))
        try await terminal.waitForPrompt()
        try terminal.type("send @bob@example.com half")
        try await terminal.wait { $0.line.hasSuffix("half") }
        flag.set(true)
        _ = try await bob.output("send @alice@example.com First")
        try await terminal.wait {
            $0.line == "@alice@example.com offline> send @bob@example.com half"
        }
        _ = try await bob.output("send @alice@example.com Second")
        flag.set(false)
        try await terminal.wait(for: "[1] @bob@example.com  First")
        try await terminal.wait(for: "[2] @bob@example.com  Second")
        try await terminal.wait {
            $0.line == "@alice@example.com (2)> send @bob@example.com half"
        }
    }

    @Test func loggingInBeginsToListen() async throws {
        let terminal = try ReplTerminal(url: host.url, key: nil)
        try await terminal.wait { $0.line == "fmsg not logged in> " }
        try await terminal.wait(for: "not logged in; run fmsg login")
        try terminal.type("login\r")
        try await terminal.wait { $0.line == "API key: " }
        try terminal.type(host.key("alice") + "\r")
        try await terminal.wait(for: "fmsg: logged in as @alice@example.com")
        try await terminal.waitForPrompt()
        _ = try await bob.output("send @alice@example.com Hi")
        try await terminal.wait(for: "[1] @bob@example.com  Hi")
        try terminal.type("logout\r")
        try await terminal.wait { $0.line == "fmsg not logged in> " }
        #expect(!String(decoding: terminal.sent, as: UTF8.self).contains(host.key("alice")))
    }

    @Test func aRevokedKeyEndsTheStreamAndNotThePrompt() async throws {
        let terminal = try ReplTerminal(url: host.url, key: "fmsgk_none_none")
        try await terminal.wait { $0.line == "fmsg not logged in> " }
        try await terminal.wait { screen in
            screen.lines.contains { $0.contains("log in again: fmsg login") }
        }
        try terminal.type("exit\r")
        #expect(await terminal.exitStatus() == 0)
    }
}

/// Something that a test turns on and off.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set(_ isSet: Bool) { value.store(isSet, ordering: .sequentiallyConsistent) }
}
