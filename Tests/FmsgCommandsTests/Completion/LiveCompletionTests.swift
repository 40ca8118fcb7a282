import CommandLineTool
import FmsgCore
import FmsgHost
import FmsgTransport
import TestSupport
import Testing

@testable import FmsgCommands

/// What completion proposes of a host's messages, and how it comes to know it.
@Suite struct LiveCompletionTests {
    /// A user whose cache is in a folder of its own.
    private struct Person {
        let host: TestHost
        let folder: TemporaryFolder
        var line: CommandLine

        init(_ user: String = "alice") throws {
            host = try TestHost()
            folder = try TemporaryFolder(prefix: "fmsg-test-completion")
            line = CommandLine(host, as: user)
            line.environment["XDG_CACHE_HOME"] = folder.path
        }

        /// What is proposed, without its first line.
        func proposed(_ words: String...) async -> [String] {
            let run = await line.run(["__complete", "zsh"] + words)
            #expect(run.exitCode == .done && run.err.isEmpty && run.lines.first == "words")
            return Array(run.lines.dropFirst())
        }

        /// Asks the host by the clock of the system: by one that stands, no host is quick enough.
        func refresh(_ options: String...) async {
            var runtime = Runtime.forTesting(
                ["__complete", "refresh"] + options, environment: line.environment)
            runtime.time = .ofSystem
            let program = FmsgProgram(
                runtime: runtime, makeTransport: { CurlTransport(settings: $0) })
            #expect(await program.run() == .done)
            #expect(runtime.standardOutput.contents + runtime.standardError.contents == "")
        }

        func end() {
            host.stop()
            folder.remove()
        }
    }

    @Test func messagesPeopleAndTopics() async throws {
        let alice = try Person()
        defer { alice.end() }
        let bob = CommandLine(alice.host, as: "bob")
        _ = try await bob.send("@alice@example.com", "one", "-t", "Lunch \"$(x)\"\n\u{1B}[31m")
        _ = await CommandLine(alice.host, as: "carol").run(
            "send", "@alice@example.com", "-t", "Tea", "two")
        _ = await alice.line.run("reply", "1", "gladly")
        _ = await bob.run("reply", "3", "at noon")
        _ = await bob.run("react", "3", "👍")
        #expect(await alice.proposed("show", "").isEmpty)
        await alice.refresh()
        let lunch = "Lunch \"$(x)\"\\x0a\\x1b[31m"
        #expect(
            await alice.proposed("show", "") == [
                "4\t@bob@example.com  \(lunch)", "3\tto @bob@example.com  \(lunch)",
                "2\t@carol@example.com  Tea", "1\t@bob@example.com  \(lunch)",
            ])
        #expect(await alice.proposed("mark-read", "4", "2", "").count == 2)
        #expect(await alice.proposed("send", "@") == ["@bob@example.com", "@carol@example.com"])
        #expect(await alice.proposed("send", "@bob@example.com", "") == ["@carol@example.com"])
        #expect(await alice.proposed("send", "a text").isEmpty)
        // What no shell could insert is left out.
        #expect(await alice.proposed("inbox", "--topic", "") == ["Tea"])
        #expect(await alice.proposed("inbox", "--from=@").first == "--from=@bob@example.com")
    }

    @Test func draftsAndFiles() async throws {
        let alice = try Person()
        defer { alice.end() }
        let file = alice.folder.path + "/my file"
        try LocalFileSystem().writeAtomically(file, [1], mode: 0o600)
        let bob = CommandLine(alice.host, as: "bob")
        _ = try await bob.send("@alice@example.com", "see", "-t", "Files", "-a", file)
        _ = await alice.line.run("draft", "create", "@bob@example.com", "later", "-t", "Plans")
        await alice.refresh()
        #expect(await alice.proposed("draft", "send", "") == ["2\tto @bob@example.com  Plans"])
        #expect(await alice.proposed("show", "") == ["1\t@bob@example.com  Files"])
        #expect(await alice.proposed("download", "1", "") == ["my file"])
        #expect(await alice.proposed("download", "-1", "m") == ["my file"])
        #expect(await alice.proposed("draft", "detach", "2", "").isEmpty)
    }

    /// A list that was shown is known at once, once completion is in use, and never before.
    @Test func whatAListHasShownIsProposed() async throws {
        let alice = try Person()
        defer { alice.end() }
        let bob = CommandLine(alice.host, as: "bob")
        _ = try await bob.send("@alice@example.com", "one", "-t", "First")
        _ = await alice.line.run("inbox")
        #expect(await alice.proposed("show", "").isEmpty)
        await alice.refresh()
        _ = try await bob.send("@alice@example.com", "two", "-t", "Second")
        _ = await alice.line.run("inbox")
        #expect(await alice.proposed("show", "").first == "2\t@bob@example.com  Second")
        alice.host.requests.clear()
        _ = await alice.proposed("show", "")
        #expect(alice.host.requests.all.isEmpty)
    }

    @Test func nothingIsKeptWhereThatIsNotWanted() async throws {
        var alice = try Person()
        defer { alice.end() }
        alice.line.environment["FMSG_NO_COMPLETION_CACHE"] = "1"
        await alice.refresh()
        #expect(await alice.proposed("show", "").isEmpty)
        #expect(try LocalFileSystem().status(alice.folder.path + "/fmsg/completion") == nil)
    }

    @Test func attachmentsOfTheMessageOnTheLine() async throws {
        let alice = try Person()
        defer { alice.end() }
        let runtime = Runtime.forTesting([], environment: alice.line.environment)
        let account = Account(
            host: try HostURL(alice.host.url), credential: .apiKey(alice.host.key("alice")),
            profile: nil, actAs: nil)
        var recent = RecentMessages()
        let names = ["my report.pdf", "a$(x)'.txt", "two\nlines"]
        recent.add(received: [try message(7, attachments: names)])
        try CompletionCache(for: account, runtime)?.save(recent)
        let parser = CommandLineParser(
            program: "fmsg",
            commands: [
                CommandDeclaration(
                    "take", group: .read, summary: "x",
                    operands: [
                        ThreadCommand.reference,
                        Operand.repeated("NAME", .text("NAME", kind: .attachmentName), "names"),
                    ])
            ], globalOptions: GlobalOptions.all, help: GlobalOptions.help)
        for reference in ["7", "-1"] {
            let completion = parser.completion(
                of: ["take", reference, "a$(x)'.txt", ""],
                live: LiveCompletion(runtime: runtime).candidates)
            let left = ["my report.pdf", "two\nlines"].map { CompletionCandidate($0) }
            #expect(completion == .words(left))
            // No shell could insert the second one.
            let request = try #require(CompletionRequest(["__complete", "zsh", ""]))
            #expect(request.answer(completion) == "words\nmy report.pdf\n")
        }
    }

    @Test func profilesAndTheirAccounts() async throws {
        var alice = try Person()
        defer { alice.end() }
        let bob = CommandLine(alice.host, as: "bob")
        _ = try await bob.send("@carol@example.com", "one", "-t", "For Carol")
        alice.line.environment["FMSG_CONFIG_DIR"] = alice.folder.path + "/config"
        for user in ["carol", "alice"] {
            let run = await alice.line.run(
                ["login", "-", "--profile", "\(user) o'x"], input: alice.host.key(user))
            try #require(run.exitCode == .done)
        }
        #expect(
            await alice.proposed("--profile", "") == [
                "carol o'x\t@carol@example.com \(alice.host.url)",
                "alice o'x\t@alice@example.com \(alice.host.url)",
            ])
        await alice.refresh("--profile=carol o'x")
        #expect(
            await alice.proposed("--profile", "carol o'x", "show", "") == [
                "1\t@bob@example.com  For Carol"
            ])
        #expect(await alice.proposed("show", "").isEmpty)
        #expect(await alice.proposed("--api-url", "") == [alice.host.url])
        // Who logs out leaves nothing behind.
        _ = await alice.line.run("logout", "--profile", "carol o'x")
        #expect(try LocalFileSystem().list(alice.folder.path + "/fmsg/completion").isEmpty)
    }

    @Test func fieldsOfTheCommandOnTheLine() async throws {
        let alice = try Person()
        defer { alice.end() }
        let columns = await alice.proposed("inbox", "--fields", "from,")
        #expect(columns.contains("from,topic") && !columns.contains("from,from"))
        #expect(!columns.contains("from,sha256"))
        #expect(await alice.proposed("inbox", "--json", "--fields", "").contains("sha256"))
        #expect(await alice.proposed("whoami", "--fields=").contains("--fields=owner"))
    }

    /// Whatever is broken, there is an answer, and no word about it.
    @Test func nothingIsEverAnError() async throws {
        var alice = try Person()
        defer { alice.end() }
        let config = alice.folder.path + "/config"
        alice.line.environment["FMSG_CONFIG_DIR"] = config
        let files = LocalFileSystem()
        try files.createFolder(config)
        try files.writeAtomically(config + "/credentials.json", Array("{".utf8), mode: 0o644)
        #expect(await alice.proposed("--profile", "").isEmpty)
        await alice.refresh("--profile=nobody")
        await alice.refresh("--nonsense")
        await alice.refresh()
        let cache = alice.folder.path + "/fmsg/completion"
        let name = try #require(try files.list(cache).first)
        try files.writeAtomically("\(cache)/\(name)", Array("{\"messages\":[1".utf8), mode: 0o600)
        #expect(await alice.proposed("show", "").isEmpty)
        alice.line.environment = [:]
        #expect(await alice.proposed("show", "").isEmpty)
        for words in [["bash"], ["tcsh", "x"], [], ["bash", "fmsg show '", ""]] {
            let run = await alice.line.run(["__complete"] + words)
            #expect(run.exitCode == .done && run.err.isEmpty)
        }
    }

    private func message(
        _ id: Int64, topic: String = "", attachments: [String] = []
    ) throws -> FmsgMessage {
        try FmsgMessage(
            document: [
                Field.from: .string("@bob@example.com"),
                Field.to: .strings(["@alice@example.com"]), Field.time: .integer(id),
                Field.topic: .string(topic),
                Field.attachments: .array(
                    attachments.map {
                        .object([Field.filename: .string($0), Field.size: .integer(1)])
                    }),
            ], id: id)
    }

    @Test func itStaysSmall() throws {
        var recent = RecentMessages()
        let topic = String(repeating: "x", count: 500)
        let many = try (1...500).map { try message($0, topic: topic) }
        recent.add(received: many)
        #expect(recent.messages.count == 200 && recent.messages.first?.id == 500)
        #expect(recent.messages.allSatisfy { $0.topic.count == 80 })
        #expect(RecentMessages(recent.document) == recent)
    }
}
