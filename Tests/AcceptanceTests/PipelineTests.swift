import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// The built `fmsg` in pipes, without a terminal, without a home: as scripts and cron run it.
@Suite struct PipelineTests {
    private func filled(_ count: Int) async throws -> TestHost {
        let host = try TestHost()
        let script = """
            i=0; while [ $i -lt \(count) ]; do
                fmsg send @bob@example.com "message $i" || exit 9; i=$((i+1))
            done
            """
        #expect(try await Shell(host, as: "alice").run(script).status == 0)
        return host
    }

    /// Field case F16: a quiet end, also when the parent ignores SIGPIPE.
    @Test(arguments: ["", "trap '' PIPE; "])
    func aReaderThatLeavesIsNoFailure(_ before: String) async throws {
        let host = try await filled(5)
        defer { host.stop() }
        let bob = Shell(host, as: "bob")
        let run = try await bob.run(
            "\(before){ fmsg inbox --all --jsonl 2>&3; echo status $? >&3; } 3>&2 2>&1 | head -1")
        #expect(run.status == 0)
        #expect(try JSON.read(run.out).object != nil)
        // The reader is gone before a byte is written.
        let gone = try await bob.run(
            "\(before){ read -r _; fmsg inbox 2>err; echo $? >code; } </dev/null | exec true; "
                + "while [ ! -s code ]; do :; done; cat code err; rm -f code err")
        #expect(gone.out == "141\n")
    }

    /// Field case F25.
    @Test func nothingButURLAndKeyIsNeeded() async throws {
        let host = try await filled(1)
        defer { host.stop() }
        let run = try await Shell(host, as: "bob").run(
            "exec env -i FMSG_API_URL=\"$FMSG_API_URL\" FMSG_API_KEY=\"$FMSG_API_KEY\" "
                + "\"\(BuiltProgram.folder)/fmsg\" inbox 2>&1")
        #expect(run.status == 0)
        #expect(run.out.contains("message 0") && !run.out.contains("warning"))
    }

    /// Field case F24.
    @Test func textIsUTF8WhateverTheLocaleSays() async throws {
        let host = try TestHost()
        defer { host.stop() }
        var alice = Shell(host, as: "alice")
        alice.environment["LC_ALL"] = "C"
        #expect(try await alice.run("fmsg send @bob@example.com 'héllo ✓ 👍 日本'").status == 0)
        var bob = Shell(host, as: "bob")
        bob.environment["LC_ALL"] = "C"
        #expect(try await bob.run("fmsg inbox").out.contains("héllo ✓ 👍 日本"))
        #expect(try await bob.run("fmsg show -1 --json 2>/dev/null").out.contains("héllo ✓ 👍 日本"))
    }

    @Test func helpIsTheSameInEveryLocale() async throws {
        let run = try await Shell().run(
            """
            fmsg help react >plain; LC_ALL=C fmsg help react | cmp - plain || exit 1
            fmsg help output | head -1; grep -c '👍' plain
            """)
        #expect(run.out == "What is printed where, and in which form\n1\n" && run.status == 0)
    }

    /// Field case F21: nothing waits for a standard input that nobody closes.
    @Test func standardInputIsLeftAlone() async throws {
        let host = try await filled(1)
        defer { host.stop() }
        let run = try await Shell(host, as: "bob").run(
            "mkfifo f; exec 9<>f; rm f; fmsg inbox <&9 >/dev/null || exit 1; "
                + "fmsg send @alice@example.com hi <&9 >/dev/null || exit 2; "
                + "fmsg send @alice@example.com <&9; echo $?")
        #expect(run.out == "64\n" && run.status == 0)
    }

    /// Field case F9: no success when the output could not be written.
    @Test func outputThatCannotBeWrittenIsAFailure() async throws {
        let host = try await filled(1)
        defer { host.stop() }
        let bob = Shell(host, as: "bob")
        let full = try await bob.run("fmsg inbox 2>&1 >/dev/full; echo $?")
        #expect(full.out.hasSuffix("\n1\n") && full.out.contains("No space left"))
        let closed = try await bob.run("fmsg inbox 2>&1 >&-; echo $?")
        #expect(closed.out.hasSuffix("\n1\n"))
        #expect(try await bob.run("fmsg inbox 2>&- >/dev/null; echo $?").out == "0\n")
    }

    /// What went out is told as sent, or a retry would send it twice.
    @Test(arguments: [(">/dev/full", 1), (">&-", 1)])
    func aSendThatCannotBeToldSaysThatItWasSent(_ output: String, _ code: Int) async throws {
        let host = try await filled(0)
        defer { host.stop() }
        let alice = Shell(host, as: "alice")
        let run = try await alice.run(
            "fmsg send @bob@example.com once --json 2>&1 \(output); echo $?")
        #expect(run.out.hasSuffix("\n\(code)\n"))
        let line = run.out.split(separator: "\n").first.map(String.init) ?? ""
        let error = try JSON.read(line).object?["error"]?.object
        #expect(error?["id"] == .integer(1))
        #expect(error?["message"]?.string?.contains("message 1 was sent") == true)
        let text = try await alice.run("fmsg reply 1 again 2>&1 \(output)")
        #expect(text.out.contains("message 2 was sent"))
    }

    @Test func theHelpOfAProgramOfItsOwnIsFound() async throws {
        let run = try await Shell().run("fmsg help host run")
        #expect(run.status == 0 && run.out.contains("--generation"))
    }

    /// A key that a host shows once must not be lost to another log-in.
    @Test func logInsAtOnceKeepEveryProfile() async throws {
        let host = try await filled(0)
        defer { host.stop() }
        var bob = Shell(host, as: "bob")
        let folder = try TemporaryFolder(prefix: "fmsg-test-config")
        defer { folder.remove() }
        bob.environment["FMSG_CONFIG_DIR"] = folder.path
        let run = try await bob.run(
            """
            i=0; while [ $i -lt 20 ]; do
                fmsg login --profile p$i & pids="$pids $!"; i=$((i+1))
            done
            for p in $pids; do wait $p || exit 1; done
            jq '.profiles | length' "$FMSG_CONFIG_DIR/credentials.json"
            """)
        #expect(run.status == 0 && run.out == "20\n")
    }

    @Test func anArgumentThatIsNotTextIsRefused() async throws {
        let host = try await filled(0)
        defer { host.stop() }
        let run = try await Shell(host, as: "alice").run(
            "fmsg send @bob@example.com \"$(printf 'a\\377b')\" 2>&1; echo $?")
        #expect(run.out == "fmsg: argument 3 is not valid UTF-8\n64\n")
    }

    @Test func aPipelineOfTheManualWorks() async throws {
        let host = try await filled(3)
        defer { host.stop() }
        let bob = Shell(host, as: "bob")
        #expect(try await bob.run("fmsg inbox --json | jq length").out == "3\n")
        let marked = try await bob.run(
            "fmsg inbox --unread --all | cut -f1 | xargs -r fmsg mark-read >/dev/null && "
                + "fmsg inbox --unread --json")
        #expect(marked.out == "[]\n")
        #expect(
            try await bob.run(
                "date | fmsg send @alice@example.com - >/dev/null && fmsg sent | wc -l"
            ).out
                == "1\n")
    }

    /// Two commands at once refresh one cached token (F29).
    @Test func manyAtOnceShareTheCache() async throws {
        let host = try await filled(1)
        defer { host.stop() }
        var bob = Shell(host, as: "bob")
        let folder = try TemporaryFolder(prefix: "fmsg-test-cache")
        defer { folder.remove() }
        bob.environment["XDG_CACHE_HOME"] = folder.path
        let run = try await bob.run(
            "for i in 1 2 3 4 5 6 7 8; do fmsg inbox >out.$i 2>&1 & pids=\"$pids $!\"; done; "
                .replacing("out.$i", with: "\"$XDG_CACHE_HOME/out.$i\"")
                + "for p in $pids; do wait $p || exit 1; done; cat \"$XDG_CACHE_HOME\"/out.*")
        #expect(run.status == 0)
        #expect(run.out.split(separator: "\n").count == 8)
        #expect(!run.out.contains("warning"))
        #expect(try await bob.run("ls \"$XDG_CACHE_HOME/fmsg/tokens\" | wc -l").out == "1\n")
    }

    /// Rule of the house: a command that makes no request loads no network library.
    @Test func noNetworkLibraryIsLoadedInVain() async throws {
        let host = try await filled(1)
        defer { host.stop() }
        let folder = try TemporaryFolder(prefix: "fmsg-test-cache")
        defer { folder.remove() }
        var bob = Shell(host, as: "bob")
        bob.environment["XDG_CACHE_HOME"] = folder.path
        #expect(try await bob.run("fmsg whoami").status == 0)
        for line in ["--version", "whoami", "--help", "send"] {
            let run = try await bob.run("LD_DEBUG=libs fmsg \(line) 2>&1 >/dev/null")
            #expect(run.out.contains("libc.so"))
            #expect(!run.out.contains("libcurl"), "\(line)")
        }
        #expect(
            try await bob.run("LD_DEBUG=libs fmsg inbox 2>&1 >/dev/null").out.contains("libcurl"))
    }

    @Test func anExternalCommandIsRun() async throws {
        let host = try await filled(0)
        defer { host.stop() }
        let run = try await Shell(host, as: "bob").run(
            """
            printf '#!/bin/sh\\necho "greet: $*"; exit 3\\n' > fmsg-greet
            chmod +x fmsg-greet
            PATH="$PATH:$PWD" fmsg --json greet a -1; echo $?
            """)
        #expect(run.out == "greet: --json a -1\n3\n")
    }

    @Test func interruptionEndsAWatchWithItsCode() async throws {
        let host = try await filled(0)
        defer { host.stop() }
        for (signal, code) in [(2, 130), (15, 143)] as [(Int32, Int32)] {
            let watch = try BuiltProgram(
                "fmsg", ["watch", "--json"], environment: Shell(host, as: "bob").environment)
            #expect(try await watch.readLine() == #"{"type":"ready"}"#)
            watch.send(signal)
            #expect(await watch.wait() == code)
        }
    }

    /// Field case F17: each record is flushed into a pipe.
    @Test func aWatchIsReadAtOnce() async throws {
        let host = try await filled(0)
        defer { host.stop() }
        let watch = try BuiltProgram(
            "fmsg", ["watch", "--json"], environment: Shell(host, as: "bob").environment)
        #expect(try await watch.readLine() == #"{"type":"ready"}"#)
        #expect(
            try await Shell(host, as: "alice").run("fmsg send @bob@example.com now").status == 0)
        #expect(try await watch.readLine().contains(#""short_text":"now""#))
        watch.send(15)
        #expect(await watch.wait() == 143)
    }
}
