import FmsgHost
import Synchronization
import TestSupport
import Testing

/// The completion scripts in the shells that they are for.
@Suite struct ShellCompletionTests {
    private static let hostile = #"Qu'o"te $(touch pwned) `touch pwned` \"#

    /// A host with messages whose topics would like to be more than text, and what Alice knows
    /// of it.
    private func scene() async throws -> (TestHost, Shell) {
        let host = try TestHost()
        let bob = Shell(host, as: "bob")
        for topic in [Self.hostile, "two\nlines", "esc\u{1B}[31m\u{202E}"] {
            let words = topic.replacing("'", with: #"'\''"#)
            #expect(try await bob.run("fmsg send @alice@example.com x -t '\(words)'").status == 0)
        }
        return (host, Shell(host, as: "alice"))
    }

    /// The script that types lines into a shell at a terminal, each followed by TAB, and prints
    /// what stands on the line then. What is typed may come before the shell reads the terminal
    /// key by key, so no key has a meaning for the terminal itself, as Ctrl-D has.
    private func typing(_ lines: [String], into shell: String, setUp: String) -> String {
        let quoted = lines.map { "'\($0.replacing("'", with: #"'\''"#))'" }
        // A sanitizer claims more addresses than there is memory.
        let kibibytes = BuiltProgram.isSanitized ? "unlimited" : "8000000"
        return #"""
            export TERM=dumb XDG_CACHE_HOME="$SCRATCH/cache" FMSG_CONFIG_DIR="$SCRATCH/config"
            fmsg login --quiet --profile "it's \$(touch pwned)"
            touch 'my file'
            fmsg __complete refresh
            cat >setup <<'END'
            \#(setUp)
            END
            cat >type <<'END'
            zmodload zsh/zpty
            zpty -b shell "\#(shell)"
            zpty -w shell "PS1=; source ./setup; echo REA''DY"
            zpty -r shell seen '*READY*' || exit 3
            for line in "$@"; do
                zpty -w -n shell "$line"$'\C-x\C-a'
                zpty -r shell seen '*LINE<*>*' || exit 4
                print -r -- "${${seen##*LINE<}%%>*}"
            done
            print -r -- "$seen"
            END
            # A shell that ends too early lets zsh read for ever, and fill the memory.
            ulimit -v \#(kibibytes)
            timeout 200 zsh -f ./type \#(quoted.joined(separator: " "))
            [ ! -e pwned ] || echo PWNED
            """#
    }

    /// What is typed, and what the line is after TAB. The last one is listed.
    private static let lines: [(typed: String, line: String)] = [
        ("fmsg in\t", "fmsg inbox "), ("fmsg inbox --unr\t", "fmsg inbox --unread "),
        ("fmsg inbox --color=al\t", "fmsg inbox --color=always "),
        ("fmsg --color al\t", "fmsg --color always "), ("fmsg hep\t", "fmsg hep"),
        ("fmsg help exi\t", "fmsg help exit-codes "),
        ("fmsg send @b\t", "fmsg send @bob@example.com "),
        ("fmsg send \"@b\t", "fmsg send \"@bob@example.com\" "),
        ("fmsg send --to=@bob@e\t", "fmsg send --to=@bob@example.com "),
        ("fmsg show '3\t", "fmsg show '3' "), ("fmsg mark-read 3 2 \t", "fmsg mark-read 3 2 1 "),
        ("fmsg send -F my\t", "fmsg send -F my\\ file "),
        ("fmsg send -F \"my\t", "fmsg send -F \"my file\" "),
        ("fmsg send --file=my\t", "fmsg send --file=my\\ file "),
        ("fmsg watch --events new_msg,deli\t", "fmsg watch --events new_msg,delivered "),
        ("true; echo x | fmsg sho\t", "true; echo x | fmsg show "),
        ("fmsg host dem\t", "fmsg host demo "), ("fmsg-host us\t", "fmsg-host user "),
        ("fmsg --profile it\t", #"fmsg --profile it\'s\ \$\(touch\ pwned\) "#),
        ("fmsg --profile \"it\t", #"fmsg --profile "it's \$(touch pwned)" "#),
        ("fmsg --profile 'it\t", #"fmsg --profile 'it'\''s $(touch pwned)' "#),
        ("fmsg nonsense \t", "fmsg nonsense "), ("fmsg show '$(x\t", "fmsg show '$(x"),
    ]

    /// What the descriptions of the messages are, everywhere.
    private static let descriptions = [
        "@bob@example.com  \(hostile)", "@bob@example.com  two\\x0alines",
        "@bob@example.com  esc\\x1b[31m\\u202e",
    ]

    private func check(_ out: String, _ list: String) {
        let lines = out.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(Self.lines.count).elementsEqual(Self.lines.map { $0.line[...] }))
        for description in Self.descriptions { #expect(out.contains(list + description), "\(out)") }
        #expect(!out.contains("PWNED") && !out.contains("\u{1B}[31m"))
    }

    @Test func bash() async throws {
        let (host, alice) = try await scene()
        defer { host.stop() }
        let setUp = #"""
            source <(fmsg completion bash)
            dump() { printf 'LINE<%s>\n' "$READLINE_LINE"; READLINE_LINE=; }
            bind -x '"\C-x\C-a": dump'
            bind 'set bell-style none'
            """#
        let typed = Self.lines.map(\.typed) + ["fmsg show \t\t"]
        let run = try await alice.run(
            typing(typed, into: "bash --noprofile --norc -i", setUp: setUp))
        check(run.out, "  ")
    }

    @Test func zsh() async throws {
        let (host, alice) = try await scene()
        defer { host.stop() }
        let setUp = #"""
            mkdir functions; fmsg completion zsh >functions/_fmsg
            fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D
            dump() { print -r -- "LINE<$BUFFER>"; BUFFER= }
            zle -N dump; bindkey '^X^A' dump
            unsetopt beep; setopt no_list_ambiguous; COLUMNS=120
            """#
        let typed = Self.lines.map(\.typed) + ["fmsg show \t"]
        let run = try await alice.run(typing(typed, into: "zsh -f -i", setUp: setUp))
        check(run.out, "  -- ")
        let sourced = try await Shell().run(
            """
            zsh -f -c 'autoload -Uz compinit; compinit -u -D; source <(fmsg completion zsh)
                print $_comps[fmsg] $_comps[fmsg-host]'
            """)
        #expect(sourced.out == "_fmsg _fmsg\n")
    }

    @Test func fish() async throws {
        let (host, alice) = try await scene()
        defer { host.stop() }
        let run = try await alice.run(
            #"""
            export XDG_CACHE_HOME="$SCRATCH/cache" XDG_CONFIG_HOME="$SCRATCH" HOME="$SCRATCH"
            touch 'my file'
            fmsg __complete refresh
            fmsg completion fish >fmsg.fish
            for line in 'fmsg inb' 'fmsg inbox --unr' 'fmsg inbox --color=al' 'fmsg send @b' \
                'fmsg send "@b' 'fmsg send --to=@b' "fmsg show '3" 'fmsg mark-read 3 2 ' \
                'fmsg send -F my' 'fmsg send --file=my' 'fmsg help exi' 'fmsg host dem' \
                'fmsg-host us' 'fmsg nonsense ' 'fmsg show '; do
                fish -N -c 'source fmsg.fish; complete -C $argv[1]' -- "$line" 2>&1
            done
            [ ! -e pwned ] || echo PWNED
            """#)
        let messages = zip([1, 2, 3], Self.descriptions).map { "\($0)\t\($1)" }
        let expected = [
            "inbox\tList received messages, newest first",
            "--unread\tOnly messages that are not read", "--color=always", "@bob@example.com",
            "@bob@example.com", "--to=@bob@example.com", messages[2], messages[0], "my file",
            "--file=my file", "exit-codes\tWhat a command says when it ends",
            "demo\tRun a command with a throw-away host", "user\tadd, list",
        ]
        #expect(run.out.split(separator: "\n").map(String.init) == expected + messages.reversed())
    }

    /// The host is asked by a process that nobody waits for.
    @Test func aHostThatHangsKeepsNobodyWaiting() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let hasGivenUp = Mutex(false)
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            ask.yield()
            // Until whoever asks goes away.
            _ = connection.readRequest()
            hasGivenUp.withLock { $0 = true }
        })
        defer { server.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-completion")
        defer { folder.remove() }
        let program = try BuiltProgram(
            "fmsg", ["__complete", "zsh", "show", ""],
            environment: [
                "FMSG_API_URL": server.url, "FMSG_API_KEY": "fmsgk_x_y",
                "XDG_CACHE_HOME": folder.path,
            ])
        let wasWaitedFor = Mutex(true)
        let status = await program.wait {
            let gaveUp = hasGivenUp.withLock { $0 }
            wasWaitedFor.withLock { $0 = gaveUp }
        }
        #expect(status == 0 && !wasWaitedFor.withLock { $0 })
        #expect(await program.readAll() == "words\n")
        for await _ in asked { break }
    }
}
