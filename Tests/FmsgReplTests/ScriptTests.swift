import CommandLineTool
import FmsgHost
import TestSupport
import Testing

/// Lines without a terminal.
struct ScriptTests {
    let host: TestHost
    let bob: PromptLine

    init() async throws {
        host = try TestHost()
        bob = PromptLine(host, as: "bob")
        _ = try await PromptLine(host, as: "alice").output(
            "send @bob@example.com @carol@example.com 'Noodles?' -t Lunch; send @bob@example.com Hi"
        )
    }

    @Test func theCommandsAreThoseOfTheSuite() async throws {
        let out = try await bob.output("whoami; inbox --fields id,preview")
        #expect(out == "@bob@example.com\n2\tHi\n1\tNoodles?\n")
    }

    @Test func linesComeFromStandardInput() async {
        let run = await bob.run(
            input:
                "# who\nwhoami\nsend @alice@example.com <<\nDear Alice,\n\n'yes'.\n.\nsent --fields preview"
        )
        #expect(run.exitCode == .done)
        #expect(run.out == "@bob@example.com\n3\nDear Alice,\\n\\n'yes'.\n")
    }

    @Test func commandsShareOneConnectionAndToken() async throws {
        host.requests.clear()
        _ = try await bob.output("inbox; sent; show 1")
        #expect(host.requests.all.filter { $0.hasSuffix("/token") }.count == 1)
    }

    @Test func theFirstFailureEndsItWithItsCode() async throws {
        let run = await bob.run("-c", "whoami; show 99; whoami", "-c", "whoami")
        #expect(run.exitCode == .notFound)
        #expect(run.out == "@bob@example.com\n")
        let other = await bob.run("-k", "-c", "show 99; whoami", "-c", "foo", "-c", "whoami")
        #expect(other.exitCode == .someFailed)
        #expect(other.out == "@bob@example.com\n@bob@example.com\n")
        #expect(other.err.split(separator: "\n").count == 2)
    }

    @Test func anUnknownCommandKeepsAllOfItsLineFromRunning() async throws {
        let run = await bob.run("-c", "send @alice@example.com Thanks;) ; whoami")
        #expect(run.exitCode == .usage)
        #expect(run.err.contains("unknown command: )"))
        #expect(try await bob.output("sent") == "")
    }

    @Test func exitEndsIt() async throws {
        #expect(try await bob.output("whoami; exit; whoami\nwhoami") == "@bob@example.com\n")
        #expect(await bob.run(input: "quit\nfoo\n").exitCode == .done)
    }

    @Test func aNumberNamesALineOfTheLastList() async throws {
        #expect(
            try await bob.output("inbox; show %2 --fields id,topic --json").hasSuffix(
                #"{"id":1,"topic":"Lunch"}"# + "\n"))
        let run = await bob.run("-c", "inbox; show %3")
        #expect(run.exitCode == .usage)
        #expect(run.err == "fmsg: %3: the last listing has 2 lines\n")
        // Where no message is named it is a word like any other.
        #expect(
            try await bob.output("inbox -n 1; send @alice@example.com %1; sent --fields preview")
                .hasSuffix("%1\n"))
        #expect(
            try await bob.output(
                "draft create @alice@example.com Later; draft list; draft send %1; inbox -n 1"
            )
            .contains("\n4\n"))
    }

    @Test func whatIsOpenIsActedOn() async throws {
        _ = try await bob.output("open 1; reply Gladly; react 👍; reply-all -m 'With tea.'")
        let sent = try await bob.output("sent --fields to,preview")
        #expect(
            sent == "@alice@example.com,@carol@example.com\tWith tea.\n@alice@example.com\tGladly\n"
        )
        #expect(try await bob.output("show 1 --fields reactions --json").contains("👍"))
        // It was read by being opened, and the other was not.
        #expect(try await bob.output("inbox --unread --fields id") == "2\n")
    }

    @Test func aNumberIsAlwaysAnId() async throws {
        let run = await bob.run("-c", "open 1; reply 2 'To the other'; thread 3 --tree")
        #expect(run.exitCode == .done)
        #expect(run.out.contains("3\t2\t"))
        // Without a text nothing is sent, whatever the number was meant to be.
        #expect(await bob.run("-c", "open 1; reply 10").exitCode == .usage)
        #expect(await bob.run("-c", "reply Gladly").exitCode == .usage)
    }

    @Test func aConversationIsWalked() async throws {
        let carol = PromptLine(host, as: "carol")
        _ = try await bob.output("reply-all 1 'At noon'")
        _ = try await carol.output("reply-all 1 'Or later'; reply-all 3 'Fine'")
        let out = try await bob.output(
            "open 5; prev; next; up; next 2; prev; next"
        ).split(separator: "\n")
        let ids = out.filter { $0.hasPrefix("id\t") }.map { $0.dropFirst(3) }
        #expect(ids == ["5", "3", "5", "1", "4", "1", "4"])
        for lines in ["open 5; next", "open 1; prev", "open 1; next 3", "open 1; up"] {
            #expect(await bob.run("-c", lines).exitCode == .notFound, "\(lines)")
        }
        for command in ["next", "up", "branches", "save x"] {
            #expect(await bob.run("-c", command).exitCode == .usage, "\(command)")
        }
    }

    @Test func branchesAreNumbered() async throws {
        _ = try await bob.output("reply-all 1 'At noon'; reply 1 'Only you'; reply 3 'And me'")
        let out = try await bob.output("open 1 > /dev/null; branches; open %3 --json")
        let ids = out.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(ids.prefix(4) == ["1", "3", "5", "4"])
        #expect(out.contains(#"{"id":5,"#))
    }

    @Test func outputIsPipedAndKept() async throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-repl")
        defer { folder.remove() }
        let file = folder.path + "/it's"
        _ = try await bob.output(
            """
            inbox --fields id > "\(file)"; sent >> "\(file)"; whoami >> "\(file)"
            inbox --fields preview | sort > \(folder.path)/sorted
            open 1 >/dev/null; save \(folder.path)/saved
            host --help > \(folder.path)/external; host --help | head -n 1 >> \(folder.path)/first
            """)
        let files = LocalFileSystem()
        func text(_ name: String) throws -> String {
            String(
                decoding: try files.read("\(folder.path)/\(name)", limit: 1 << 16), as: UTF8.self)
        }
        #expect(try text("it's") == "2\n1\n@bob@example.com\n")
        #expect(try text("sorted") == "Hi\nNoodles?\n")
        #expect(try text("saved") == "Noodles?")
        #expect(try text("external").contains("\n\nUsage:\n"))
        #expect(try text("first").split(separator: "\n").count == 1)
        #expect(try files.status(file)?.permissions == 0o600)
        #expect(try files.status(folder.path + "/saved")?.permissions == 0o600)
        // A file that is there is not replaced, and a wrong line empties none.
        #expect(await bob.run("-c", "open 1; save \(folder.path)/saved").exitCode == .failed)
        #expect(await bob.run("-c", "inbox --foo > \(folder.path)/saved").exitCode == .usage)
        #expect(await bob.run("-c", "inbox > \(folder.path)/none/x").exitCode == .failed)
        #expect(try text("saved") == "Noodles?")
    }

    /// By the built program, since a lost reader ends a process that has not prepared for it.
    @Test func aReaderThatHasEnoughIsNoFailure() async throws {
        for _ in 0..<5 {
            let program = try BuiltProgram(
                "fmsg-repl", ["-c", "whoami | exec true; inbox | head -n 1"],
                environment: bob.environment.variables)
            #expect(await program.readAll().hasPrefix("2\t"))
            #expect(await program.wait() == 0)
        }
    }

    @Test func theShellsFailureCounts() async {
        #expect(await bob.run("-c", "!exit 3").exitCode == ExitCode(rawValue: 3))
        #expect(await bob.run("-c", "whoami | cat >/dev/null; !false\nwhoami").exitCode == .failed)
        #expect(await bob.run("-c", "show 99 | cat").exitCode == .notFound)
    }

    @Test func optionsOfThePromptHoldForItsCommands() async throws {
        let run = await bob.run("--json", "-c", "whoami; show 99")
        #expect(run.out.hasPrefix(#"{"address":"@bob@example.com""#))
        #expect(run.err.hasPrefix(#"{"error":"#))
    }

    @Test func wrongLinesAreNamed() async {
        let run = await bob.run(input: "whoami\n\nreply 'open")
        #expect(run.exitCode == .usage)
        #expect(run.err == "fmsg: line 3: a quote is not closed\n")
        #expect(
            await bob.run(input: "whoami |\n").err.contains("line 1: there is no shell command"))
        #expect(await bob.run("foo").exitCode == .usage)
    }

    @Test func shellsCompleteItsOptions() async {
        let run = await bob.run("__complete", "zsh", "--keep")
        #expect(run.out.contains("\n--keep-going\t"))
    }

    @Test func helpKnowsThePromptsOwnCommands() async throws {
        #expect(try await bob.output("help open").hasPrefix("Open a message, for the commands"))
        let help = try await bob.output("help")
        #expect(help.contains("branches"))
        #expect(try await bob.output("help repl").contains("<<"))
        // A prompt within a prompt is none.
        #expect(await bob.run("-c", "repl").exitCode == .usage)
    }
}
