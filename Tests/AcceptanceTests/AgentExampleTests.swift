import FmsgHost
import Glibc
import TestSupport
import Testing

/// The handlers in `examples/`, and how the system is told to run an agent.
@Suite struct AgentExampleTests {
    private static let examples = BuiltProgram.packageFolder + "/examples"

    /// A user whose agent has a state folder, and a home.
    private func shell(_ host: TestHost, _ user: String, _ home: TemporaryFolder) -> Shell {
        var shell = Shell(host, as: user)
        shell.environment["HOME"] = home.path
        shell.environment["EXAMPLES"] = Self.examples
        return shell
    }

    /// A host on which Alice has written to Bob, and a home for both.
    private func written(_ text: String) async throws -> (TestHost, TemporaryFolder) {
        let host = try TestHost()
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        let sent = try await shell(host, "alice", home).run("fmsg send @bob@example.com '\(text)'")
        #expect(sent.status == 0)
        return (host, home)
    }

    @Test func theHagglersTalkUntilTheCap() async throws {
        let host = try TestHost(users: ["alice", "buyer"])
        defer { host.stop() }
        let home = try TemporaryFolder(prefix: "fmsg-test-home")
        defer { home.remove() }
        var seller = shell(host, "alice", home)
        seller.environment["FMSG_API_KEY"] = try host.host.addUser(
            TestHost.address("seller"), owner: TestHost.address("alice"))
        let buyer = shell(host, "buyer", home)
        #expect(
            try await buyer.run("fmsg send @seller@example.com -t Lamp 'How much?'").status == 0)
        var answered = 0
        for turn in 0... {
            let (shell, handler) = turn % 2 == 0 ? (seller, "seller") : (buyer, "buyer")
            let run = try await shell.run(
                "fmsg agent --once --max-replies 3 --input turns --exec $EXAMPLES/haggle/\(handler)"
            )
            guard run.status == 0, run.out.hasPrefix("answered") else { break }
            answered += 1
        }
        // The buyer's question is one of its three, and the last word asks for no answer.
        #expect(answered == 4)
        // The owner of the seller has had every word on copy since the seller's first.
        let thread = try await shell(host, "alice", home).run(
            "fmsg thread -1 --json | jq -r '.messages[] | select(.body).body.text'")
        #expect(
            thread.out == """
                I can let it go for 100.
                I offer 50.
                I can let it go for 95.
                I offer 55.

                """)
    }

    /// The key of the chat API is in its header, and in nobody's arguments.
    @Test func aLanguageModelAnswers() async throws {
        let (host, home) = try await written("Hi!")
        defer {
            host.stop()
            home.remove()
        }
        let model = try ScriptedServer(answering: { request in
            guard request.header("Authorization") == "Bearer not-for-all-eyes" else {
                return .status(401)
            }
            guard Self.commandLines().allSatisfy({ !$0.contains("not-for-all-eyes") }) else {
                return .status(418)
            }
            return .json(
                #"{"choices":[{"message":{"role":"assistant","content":"Hello, Alice."}}]}"#)
        })
        defer { model.stop() }
        var bob = shell(host, "bob", home)
        bob.environment["CHAT_API_URL"] = model.url + "/v1/chat/completions"
        bob.environment["CHAT_API_KEY"] = "wrong"
        let agent = "fmsg agent --once --input turns --exec $EXAMPLES/chat-model/answer"
        // A refusal is a failure of the handler: the message waits.
        #expect(try await bob.run(agent).status == 7)
        bob.environment["CHAT_API_KEY"] = "not-for-all-eyes"
        #expect(try await bob.run(agent).status == 0)
        let answer = try await shell(host, "alice", home).run("fmsg show -1")
        #expect(answer.out.contains("Hello, Alice."))
        let request = try #require(model.requests.last)
        #expect(request.path == "/v1/chat/completions")
        #expect(
            String(decoding: request.body, as: UTF8.self).contains(
                #""content": "@alice@example.com:\nHi!""#))
    }

    @Test func theServiceAnswers() async throws {
        let (host, home) = try await written("hello")
        defer {
            host.stop()
            home.remove()
        }
        // Its command as systemd runs it, to its end.
        let bob = try await shell(host, "bob", home).run(
            """
            command=$(sed -n 's/^ExecStart=//p' "$EXAMPLES/fmsg-agent.service")
            eval "$command --once" || exit
            command -v systemd-analyze >/dev/null || exit 0
            XDG_RUNTIME_DIR=$PWD systemd-analyze --user verify "$EXAMPLES/fmsg-agent.service" 2>&1
            """)
        #expect(bob.status == 0 && bob.out.hasPrefix(#"{"type":"answered","id":1,"#), "\(bob.out)")
        #expect(bob.out.split(separator: "\n").count == 1, "\(bob.out)")
        #expect(try await shell(host, "alice", home).run("fmsg show -1").out.contains("HELLO"))
    }

    @Test func cronAnswers() async throws {
        let (host, home) = try await written("hello")
        defer {
            host.stop()
            home.remove()
        }
        // As cron runs it: five fields, then the command, with the crontab's PATH and a home alone.
        let bob = try await shell(host, "bob", home).run(
            #"""
            printf %s "$FMSG_API_KEY" | fmsg login - --api-url "$FMSG_API_URL" >/dev/null || exit
            sed -n 's/^PATH=//p' "$EXAMPLES/crontab" | grep -q /usr/bin || exit 1
            line=$(grep '^[*0-9]' "$EXAMPLES/crontab")
            [ "$(printf '%s\n' "$line" | wc -l)" = 1 ] || exit 2
            case $line in *%*) exit 3 ;; esac
            command=$(printf '%s\n' "$line" | sed -E 's/^([^ ]+ +){5}//')
            env -i HOME="$HOME" PATH="$PATH" SHELL=/bin/sh LOGNAME=bob /bin/sh -c "$command" || exit
            cat "$HOME/fmsg-agent.log"
            """#)
        #expect(bob.status == 0 && bob.out.hasPrefix("answered\t1\t"), "\(bob)")
        #expect(try await shell(host, "alice", home).run("fmsg show -1").out.contains("HELLO"))
    }

    /// The arguments of every process on this machine, as everybody can read them.
    private static func commandLines() -> [String] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var lines: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/cmdline", "r") else { continue }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&buffer, 1, buffer.count, file)
            lines.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return lines
    }
}
