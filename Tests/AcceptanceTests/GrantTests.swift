import FmsgCore
import TestSupport
import Testing

/// The built `fmsg` with sub-accounts and profiles, as scripts and cron run it.
@Suite struct GrantTests {
    private func owner(_ host: TestHost) throws -> Shell {
        var shell = Shell(host, as: "alice")
        shell.environment["FMSG_API_KEY"] = nil
        shell.environment["FMSG_TOKEN"] = try host.ownerToken("alice")
        return shell
    }

    /// A key that could not be shown is lost to everybody: that is told, with the way to another.
    @Test(arguments: [
        "fmsg sub-account create bot --allow 127.0.0.1 2>&1 >/dev/full; echo $?",
        "fmsg sub-account create bot --allow 127.0.0.1 2>&1 >&-; echo $?",
        // The reader has left before there is a key.
        """
        mkfifo gone
        { read -r _ <gone; fmsg sub-account create bot --allow 127.0.0.1 2>err; echo $? >code; } |
            { exec <&-; : >gone; }
        cat err code
        """,
    ])
    func aKeyThatCannotBeShownIsTold(_ script: String) async throws {
        let host = try TestHost()
        defer { host.stop() }
        let alice = try owner(host)
        let run = try await alice.run(script)
        #expect(run.out.hasSuffix("\n1\n") && run.out.contains("rotate-key bot"), "\(run.out)")
        let renewed = try await alice.run("fmsg sub-account rotate-key bot 2>/dev/null")
        #expect(renewed.status == 0 && renewed.out.hasPrefix("fmsgk_"))
    }

    /// Field cases F20, F21, F24 and F25: a global option anywhere, a standard input that nobody
    /// closes, another locale, and no home.
    @Test func nothingElseIsNeeded() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await owner(host).run(
            """
            mkfifo f; exec 9<>f
            export LC_ALL=C
            key=$(fmsg --quiet sub-account create bot --allow 127.0.0.1 <&9) || exit 1
            fmsg sub-account --json list <&9 | jq -r '.[0].addr' || exit 2
            fmsg sub-account list --json <&9 | jq -r 'length' || exit 3
            unset FMSG_TOKEN
            FMSG_API_KEY=$key fmsg whoami <&9 || exit 4
            fmsg profile list <&9; echo $?
            fmsg sub-account list <&9 2>/dev/null; echo $?
            """)
        #expect(run.out == "@alice_bot@example.com\n1\n@alice_bot@example.com\n0\n4\n")
        #expect(run.status == 0)
    }

    /// Profiles that are added at once are all kept (F29).
    @Test func profilesAddedAtOnceAreAllKept() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let run = try await Shell(host, as: "alice").run(
            """
            export FMSG_CONFIG_DIR="$PWD/config"
            i=0; while [ $i -lt 12 ]; do
                fmsg profile add p$i & pids="$pids $!"; i=$((i+1))
            done
            for p in $pids; do wait $p || exit 1; done
            fmsg profile list --fields name | wc -l
            stat -c %a config/credentials.json
            """)
        #expect(run.out == "12\n600\n" && run.status == 0)
    }
}
