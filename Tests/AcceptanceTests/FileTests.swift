import FmsgCore
import FmsgHost
import TestSupport
import Testing

/// The built `fmsg` and the files of a shell.
@Suite struct FileTests {
    /// Alice, who also has Bob's key at hand.
    private func alice(_ host: TestHost) -> Shell {
        var shell = Shell(host, as: "alice")
        shell.environment["BOB"] = host.key("bob")
        return shell
    }

    @Test func aFileGoesFromFolderToFolder() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            mkdir there && head -c 3000000 /dev/urandom >a.bin || exit 1
            fmsg send @bob@example.com 'A file.' -a a.bin >/dev/null || exit 2
            export FMSG_API_KEY=$BOB
            (cd there && fmsg download -1 2>/dev/null) || exit 3
            cmp a.bin there/a.bin && fmsg download -1 -o - | cmp - a.bin && fmsg body -1
            ls -A there
            """)
        #expect(run.status == 0)
        #expect(run.out == "1\ta.bin\t3000000\ta.bin\nA file.a.bin\n")
    }

    @Test(.enabled(if: !BuiltProgram.isSanitized))
    func aFullDiskIsToldAndLeavesNoHalfFile() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            head -c 900000 /dev/urandom >a.bin
            fmsg send @bob@example.com x -a a.bin >/dev/null || exit 1
            export FMSG_API_KEY=$BOB
            fmsg download 1 a.bin -o - 2>&1 >/dev/full; echo "$?"
            mkdir there; cd there
            (trap '' XFSZ; ulimit -f 100; fmsg download 1 2>&1 >/dev/null; echo "$?")
            ls; fmsg download 1 2>/dev/null | cut -f4; cmp a.bin ../a.bin && ls -A
            """)
        let lines = run.out.split(separator: "\n").map(String.init)
        #expect(
            lines.first == "fmsg: cannot write to standard output: No space left on device",
            "\(run.out)")
        #expect(lines.dropFirst().first == "1")
        #expect(lines.contains("fmsg: cannot write a.bin: File too large"), "\(run.out)")
        #expect(lines.suffix(3) == ["1", "a.bin", "a.bin"])
    }

    /// Field case F16, in the middle of a file.
    @Test func aReaderThatLeavesEndsADownload() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            head -c 5000000 /dev/urandom >a.bin
            fmsg send @bob@example.com x -a a.bin >/dev/null || exit 1
            export FMSG_API_KEY=$BOB
            { fmsg download 1 a.bin -o - 2>&3; echo "status $?" >&3; } 3>&2 2>&1 | head -c 3 | wc -c
            """)
        #expect(run.out.filter { !$0.isWhitespace } == "3")
        let status = try await alice(host).run(
            "export FMSG_API_KEY=$BOB; { fmsg download 1 -o - 2>err; echo $? >code; } | head -c 3 "
                + ">/dev/null; while [ ! -s code ]; do :; done; cat code err")
        #expect(status.out == "141\n")
    }

    @Test func theMessagesOfAListAreMarkedByAPipe() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            for i in 1 2 3; do fmsg send @bob@example.com "$i" -t "Build $i" >/dev/null; done
            fmsg send @bob@example.com other >/dev/null
            export FMSG_API_KEY=$BOB
            fmsg inbox --topic build --all | fmsg mark-read - | wc -l
            fmsg inbox --unread | cut -f1; fmsg mark-read --all | cut -f1
            """)
        #expect(run.out.filter { $0 != " " } == "3\n4\n4\n")
    }

    /// `id=$(…)` of a draft, as the manual has it, with an editor that is a program.
    @Test func aDraftIsMadeByAScript() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            echo 'The plan.' >plan.md; echo 1 >budget.ods
            id=$(fmsg draft create @bob@example.com -F plan.md --topic Plan) || exit 1
            fmsg draft attach $id budget.ods >/dev/null && fmsg draft edit $id -t 'Plan B' &&
            fmsg draft send $id --wait | cut -f3
            fmsg draft list; FMSG_API_KEY=$BOB fmsg inbox --fields topic,flags
            """)
        #expect(run.out == "1\n1\ndelivered\nPlan B\tunread,attachments\n", "\(run.out)")
    }

    /// A text comes from a pipe as from a file, and a folder of one's own may be relative.
    @Test func pipesAndRelativeFoldersAreTaken() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await alice(host).run(
            """
            mkfifo pipe; printf 'from a pipe' >pipe &
            fmsg send @bob@example.com -F pipe >/dev/null || exit 1
            fmsg sent | cut -f6
            export FMSG_CONFIG_DIR=./mine
            fmsg login --quiet && ls mine/credentials.json
            fmsg draft show 1 --json 2>&1 | cut -c1-40; fmsg draft show 1 2>/dev/null; echo "$?"
            """)
        #expect(run.status == 0)
        let expected = [
            "from a pipe", "mine/credentials.json", #"{"error":{"code":"refused","message":"me"#,
            "5",
        ]
        #expect(run.out.split(separator: "\n").map(String.init) == expected)
    }
}
