import Testing

@testable import CommandLineTool

@Suite struct CompletionTests {
    private func completion(_ words: String...) -> Completion {
        Sample.parser.completion(of: words) { kind, typed, line in
            switch kind {
            case .messageReference:
                [CompletionCandidate("12", "a message"), CompletionCandidate("-1")]
            case .profile: [CompletionCandidate("work")]
            case .address: [CompletionCandidate("@\(typed.dropFirst())@\(line.operands.count)")]
            default: []
            }
        }
    }

    private func words(_ words: String...) -> [String]? {
        let completion = Sample.parser.completion(of: words) { kind, _, _ in
            kind == .messageReference ? [CompletionCandidate("12")] : []
        }
        guard case .words(let candidates) = completion else { return nil }
        return candidates.map(\.word)
    }

    private let globals = ["--json", "--quiet", "--verbose", "--profile", "--fields", "--color"]

    @Test func commandsByTheirWords() {
        let all = ["inbox", "show", "react", "mark-read", "send", "draft", "grant", "host"]
        #expect(words("") == all)
        #expect(words("--json", "in") == all)
        #expect(words("draft", "") == ["create"])
        #expect(words("grant", "") == ["show"])
        #expect(words("nonsense", "") == [])
        #expect(words("--", "") == all)
        let described = completion("")
        guard case .words(let candidates) = described else { return }
        #expect(candidates.first == CompletionCandidate("inbox", "List received messages"))
        #expect(candidates[6] == CompletionCandidate("grant", "show"))
    }

    @Test func optionsThatCanStillBeGiven() {
        let ofInbox = ["--unread", "--limit", "--from", "--allow", "--wait"]
        #expect(words("inbox", "-") == globals + ["--help", "--version"] + ofInbox)
        #expect(
            words("-q", "inbox", "--un", "-n", "3", "--allow", "x", "-")?.contains("--quiet")
                == false)
        #expect(words("inbox", "-n", "3", "--")?.contains("--limit") == false)
        #expect(words("inbox", "--allow", "x", "--")?.contains("--allow") == true)
        #expect(words("inbox", "-u")?.last == "-u")
        #expect(words("inbox", "--", "-") == [])
    }

    @Test func valuesOfOptions() {
        #expect(words("--color", "") == ["auto", "always", "never"])
        #expect(words("inbox", "--color=a") == ["--color=auto", "--color=always", "--color=never"])
        #expect(completion("--profile", "") == .words([CompletionCandidate("work")]))
        #expect(completion("inbox", "--from", "@b") == .words([CompletionCandidate("@b@0")]))
        #expect(words("inbox", "-n", "") == [])
        #expect(words("inbox", "-un", "") == [])
        // A value that may be left out never is a word of its own.
        #expect(words("inbox", "--wait", "") == [])
        #expect(words("--nonsense=", "") != nil)
        #expect(words("--nonsense=x") == [])
    }

    @Test func operandsInTheirOrder() {
        #expect(words("show", "") == ["12"])
        #expect(words("show", "12", "") == [])
        #expect(words("react", "-1", "") == [])
        #expect(words("mark-read", "1", "2", "") == ["12"])
        #expect(words("send", "") == [])
    }

    @Test func anotherProgramIsAskedForItsOwn() {
        #expect(
            completion("--json", "host", "run", "--po")
                == .external(command: "host", words: ["run", "--po"]))
        #expect(completion("host") != .external(command: "host", words: []))
        let known = CommandDeclaration(
            "live", group: .live, summary: "x", options: [Sample.unread], isExternal: true)
        let parser = CommandLineParser(
            program: "x", commands: [known], globalOptions: [], help: Sample.help)
        guard case .words(let words) = parser.completion(of: ["live", "--un"]) else {
            Issue.record("what is declared is not asked for elsewhere")
            return
        }
        #expect(words.map(\.word) == ["--help", "--unread"])
    }

    @Test func filesAndFolders() {
        let file = Option.value("file", short: "F", .file, "a file")
        let folder = Option.value("folder", .folder, "a folder")
        let names = Option.value("names", .names("A,B", kind: .names(["one", "two"])), "names")
        let words = Operand.repeated("WORD", .text(kind: .commandName), "words")
        let parser = CommandLineParser(
            program: "x",
            commands: [
                CommandDeclaration(
                    "help", group: .help, summary: "x", options: [file, folder, names],
                    operands: [words])
            ], globalOptions: [], help: Sample.help, topics: [Sample.colours])
        func completion(_ words: String...) -> Completion { parser.completion(of: words) }
        #expect(completion("help", "-F", "") == .file)
        #expect(completion("help", "--file=a") == .file)
        #expect(completion("help", "--folder", "") == .folder)
        #expect(completion("help", "--names", "two,") == .words([CompletionCandidate("two,one")]))
        #expect(
            completion("help", "--names=o")
                == .words([CompletionCandidate("--names=one"), CompletionCandidate("--names=two")]))
        let topic = CompletionCandidate("colours", "When colour is used")
        #expect(completion("help", "") == .words([CompletionCandidate("help", "x"), topic]))
        #expect(completion("help", "help", "") == .words([]))
    }

    @Test func requestsOfTheShells() throws {
        #expect(CompletionRequest(["inbox"]) == nil)
        #expect(CompletionRequest(["__complete"]) == nil)
        #expect(CompletionRequest(["__complete", "tcsh", "x"]) == nil)
        #expect(CompletionRequest(["__complete", "bash", "x"]) == nil)
        let zsh = try #require(CompletionRequest(["__complete", "zsh", "show", "a b"]))
        #expect(zsh.words == ["show", "a b"])
        let candidates = [
            CompletionCandidate("a b", "one\u{1B}[31m\ttwo\nthree"), CompletionCandidate("c\td"),
            CompletionCandidate("e"), CompletionCandidate("f", String(repeating: "x", count: 99)),
        ]
        let lines = zsh.answer(.words(candidates)).split(separator: "\n")
        #expect(
            lines == [
                "words", "a b\tone\\x1b[31m\\x09two\\x0athree", "e",
                "f\t\(String(repeating: "x", count: 59))…",
            ])
        #expect(zsh.arguments(for: ["x"]) == ["__complete", "zsh", "x"])
        let bash = try #require(CompletionRequest(["__complete", "bash", "fmsg show 'a", "="]))
        #expect(bash.answer(.words(candidates)) == "words\na b\tone\\x1b[31m\\x09two\\x0athree\n")
        #expect(bash.answer(.file) == "files\n" && bash.answer(.folder) == "folders\n")
        let other = try #require(CompletionRequest(bash.arguments(for: ["run", "'a"])))
        #expect(other.words == ["run", "'a"])
    }
}

/// bash's own reading of a line, by its words and what it replaces.
@Suite struct BashLineTests {
    private let breaks = " \t\n\"'@><=;|&(:"

    @Test(arguments: [
        ("fmsg ", ["fmsg", ""]), ("fmsg show", ["fmsg", "show"]), ("", [""]),
        ("fmsg  a\\ b 'c d'\"e\"f g", ["fmsg", "a b", "c def", "g"]),
        ("fmsg \"a\\\"b\\c$d\"", ["fmsg", "a\"b\\c$d"]), ("fmsg 'a", ["fmsg", "a"]),
        ("fmsg '' x", ["fmsg", "", "x"]), ("fmsg <in 2>err x", ["fmsg", "x"]),
        ("fmsg a>b x", ["fmsg", "a", "x"]), ("fmsg --to=@b", ["fmsg", "--to=@b"]),
        ("fmsg 2>&1 x", ["fmsg", "x"]), ("fmsg a\\", ["fmsg", "a"]),
    ])
    func words(_ line: String, _ words: [String]) {
        #expect(BashLine(line, breaks: breaks).words == words)
    }

    @Test(arguments: [
        ("f sh", "show", "show"), ("f \"sh", "show it", "show it"), ("f sh", "other", nil),
        ("f ", "a b'$c", "a\\ b\\'\\$c"), ("f 'a", "a'b", "a'\\''b"),
        ("f \"a", "a`$\"", "a\\`\\$\\\""),
        ("f --color=a", "--color=auto", "auto"), ("f --to=@b", "--to=@b@x.y", "@b@x.y"),
        ("f @b@x", "@b@x.y", "@x.y"), ("f a\\ b", "a bc", "a\\ bc"), ("f 'a'b", "abc", "bc"),
        ("f a\"b", "abc", "bc"), ("f \\@b", "@bc", "@bc"), ("f http:/", "http://x", "//x"),
    ])
    func whatIsInserted(_ line: String, _ candidate: String, _ inserted: String?) {
        #expect(BashLine(line, breaks: breaks).insertion(of: candidate) == inserted)
    }

    @Test func aRedirectionTakesAFile() {
        #expect(BashLine("fmsg send < re", breaks: breaks).isRedirected)
        #expect(!BashLine("fmsg send <re x", breaks: breaks).isRedirected)
    }
}
