import CommandLineTool
import FmsgCore
import Glibc
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct CommandTests {
    private func demo(
        _ script: String, _ environment: [String: String] = [:]
    ) throws -> BuiltProgram {
        let path = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        return try BuiltProgram("fmsg-host", ["demo", "--", "sh", "-c", script], environment: path)
    }

    @Test func theDeclarationsHaveNoFaults() {
        #expect(HostProgram.parser.declarationFaults.isEmpty)
    }

    @Test func itTellsOfItself() async throws {
        func run(_ arguments: String...) async throws -> (out: String, status: Int32) {
            let program = try BuiltProgram("fmsg-host", arguments)
            return (await program.readAll(), await program.wait())
        }
        #expect(try await run("--version") == ("\(FmsgVersion.line("fmsg-host"))\n", 0))
        let asked = try await run("run", "--help")
        #expect(asked.status == 0 && asked.out.contains("Usage:\n  fmsg-host run [options]\n"))
        #expect(try await run("help", "run") == asked)
        #expect(try await run("help").out.contains("  user add"))
        let asAsked = try await run("-h").out
        #expect(try await run() == (asAsked, 64))
        #expect(try await run("help", "nonsense").status == 64)
        // Talk is left out when it is asked to be.
        for (option, lines) in [("--json", "1\n"), ("-q", "0\n")] {
            let talk = try BuiltProgram(
                "/bin/sh",
                [
                    "-c", "\"$1\" demo $2 -- true 2>&1 | wc -l", "sh",
                    "\(BuiltProgram.folder)/fmsg-host", option,
                ], environment: ["PATH": "/usr/bin:/bin"])
            #expect(await talk.readAll() == lines)
            #expect(await talk.wait() == 0)
        }
    }

    @Test func aDemoServesItsCommandAndGoes() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let script = """
            echo "$FMSG_API_URL"; echo "$FMSG_API_KEY"; echo "$FMSG_API_KEY_BOB"
            echo "$FMSG_API_KEY_CAROL"; echo "${FMSG_TOKEN-none}"; echo "$FMSG_STATE_DIR"
            kill -STOP $$; exit 7
            """
        let program = try demo(script, ["TMPDIR": folder.path, "FMSG_TOKEN": "x"])
        let url = try await program.readLine()
        var keys: [String] = []
        for _ in 0..<3 { keys.append(try await program.readLine()) }
        #expect(try await program.readLine() == "none")
        #expect(try await program.readLine().hasPrefix(folder.path + "/"))
        let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        let clients = try zip(["alice", "bob", "carol"], keys).map {
            try WireClient(port: port, $0, key: $1)
        }
        #expect(try clients[0].send(to: [clients[1].address, clients[2].address]) > 0)
        #expect(try clients[1].list().count == 1)
        #expect(try clients[2].list().count == 1)
        #expect(Files.names(in: folder.path).count == 1)
        // The script waits to be gone on with.
        program.send(SIGCONT)
        let child = try #require(children(of: program.pid).first)
        kill(child, SIGCONT)
        #expect(await program.wait() == 7)
        #expect(Files.names(in: folder.path).isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalEndsADemoAndLeavesNothing(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = try demo("echo up; exec sleep 60", ["TMPDIR": folder.path])
        #expect(try await program.readLine() == "up")
        program.send(signal)
        #expect(await program.wait() == 128 + signal)
        #expect(Files.names(in: folder.path).isEmpty)
    }

    @Test func aDemoEndsAsItsCommandDoes() async throws {
        #expect(try await demo("exit 0").wait() == 0)
        #expect(try await demo("kill -9 $$").wait() == 137)
        let missing = try BuiltProgram("fmsg-host", ["demo", "--", "no-such-program"])
        #expect(await missing.wait() == 127)
        let nothing = try BuiltProgram("fmsg-host", ["demo"])
        #expect(await nothing.wait() == ExitCode.usage.rawValue)
    }

    @Test func usersAreListed() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let data = folder.path + "/data"
        func run(_ arguments: String...) async throws -> (line: String?, status: Int32) {
            let program = try BuiltProgram("fmsg-host", arguments + ["--data", data])
            let line = try? await program.readLine()
            return (line, await program.wait())
        }
        #expect(try await run("user", "list").status == 1)
        let added = try await run(
            "user", "add", "@Alice_bot@example.com", "--owner", "@alice@example.com", "--json")
        let record = try JSON.read(try #require(added.line)).object
        #expect(record?["owner"]?.string == "@alice@example.com")
        let key = try #require(record?["api_key"]?.string.flatMap { APIKey($0) })
        let list = try await run("user", "list", "--json")
        let expected = """
            [{"address":"@Alice_bot@example.com","owner":"@alice@example.com",\
            "key_ids":["\(key.id)"]}]
            """
        #expect(list.line == expected)
        let text = try await run("user", "list").line
        #expect(text == "@Alice_bot@example.com\t@alice@example.com\t\(key.id)")
        #expect(try await run("user", "add", "@x@other.test").status == 1)
        #expect(try await run("user", "add", "x").status == 64)
    }

    @Test func anOwnersTokenIsPrinted() async throws {
        let host = try TestHost()
        defer { host.stop() }
        func run(_ address: String, _ data: String) async throws -> (line: String?, status: Int32) {
            let program = try BuiltProgram(
                "fmsg-host", ["token", address, "--lifetime", "60", "--json", "--data", data])
            let line = try? await program.readLine()
            return (line, await program.wait())
        }
        let printed = try await run("@alice@example.com", host.dataFolder)
        let record = try JSON.read(try #require(printed.line)).object
        #expect(record?["expires_at"]?.string?.hasSuffix("Z") == true)
        let alice = try WireClient(host, "alice")
        alice.token = record?["access_token"]?.string ?? ""
        #expect(try alice.request("GET", "/fmsg/sub-accounts").status == 200)
        #expect(try await run("@nobody@example.com", host.dataFolder).status == 1)
        #expect(try await run("nobody", host.dataFolder).status == 64)
        #expect(try await run("@alice@example.com", host.dataFolder + "/none").status == 1)
    }

    @Test func aHostIsNotOpenedToTheWorldBySilence() async throws {
        for address in ["0.0.0.0", "::", "192.0.2.1"] {
            let program = try BuiltProgram("fmsg-host", ["run", "--listen", address])
            #expect(await program.wait() == 64, "\(address)")
        }
    }

    private func children(of pid: pid_t) -> [pid_t] {
        let list = Files.read("/proc/\(pid)/task/\(pid)/children", atMost: 4096) ?? []
        return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
}
