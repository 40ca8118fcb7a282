import FmsgHost
import TestSupport
import Testing

/// `make install` and `make uninstall`, with the programs that are built here.
@Suite struct InstallationTests {
    private let install = "'\(ReferenceTests.package)/scripts/install'"

    /// A script after the suite was installed below `$SCRATCH/root/usr`.
    private func installed(_ script: String) async throws -> Shell.Outcome {
        let host = try TestHost()
        defer { host.stop() }
        return try await Shell(host, as: "alice").run(
            """
            exec 2>&1
            \(install) '\(BuiltProgram.folder)' /usr "$SCRATCH/root" || exit 9
            PATH="$SCRATCH/root/usr/bin:/usr/bin:/bin"
            share=$SCRATCH/root/usr/share
            \(script)
            """)
    }

    @Test func itWorksWhereItWasPut() async throws {
        let run = try await installed(
            """
            command -v fmsg | grep -q "^$SCRATCH/root/usr/bin/" || exit 1
            fmsg whoami
            fmsg host -q demo -- true || exit 2
            mandoc -T lint "$share"/man/man*/* || exit 3
            ls "$share/man/man1" | grep -c '^fmsg-'
            """)
        #expect(run.status == 0)
        let lines = run.out.split(separator: "\n")
        #expect(lines.first == "@alice@example.com")
        #expect(lines.last.flatMap { Int($0) } ?? 0 > 10, "\(run.out)")
    }

    /// Each shell finds the script where it looks for it, for each program.
    @Test func theShellsFindTheirScripts() async throws {
        let run = try await installed(
            #"""
            for program in fmsg fmsg-host fmsg-repl; do
                bash -c '. "$1/bash-completion/completions/$2"; complete -p "$2"' _ "$share" $program
                zsh -f -c 'fpath=("$1/zsh/site-functions" $fpath); autoload -Uz compinit
                    compinit -u -D; print $_comps[$2]' _ "$share" $program
                fish -N -c 'source $argv[1]/fish/vendor_completions.d/$argv[2].fish
                    complete -C "$argv[2] --vers"' "$share" $program
            done
            """#)
        let ofShells = { (program: String) in
            [
                "complete -o nosort -F _fmsg \(program)", "_fmsg",
                "--version\tShow the version",
            ]
        }
        let lines = run.out.split(separator: "\n").map(String.init)
        #expect(lines.count == 9, "\(run.out)")
        for (line, expected) in zip(
            lines, ["fmsg", "fmsg-host", "fmsg-repl"].flatMap(ofShells))
        {
            #expect(line.hasPrefix(expected))
        }
    }

    @Test func nothingOfItIsLeft() async throws {
        let run = try await installed(
            """
            mkdir -p "$share/doc/other"; touch "$share/man/man1/other.1"
            \(install) '\(BuiltProgram.folder)' /usr "$SCRATCH/root" || exit 1
            \(install) --remove '\(BuiltProgram.folder)' /usr "$SCRATCH/root" || exit 2
            find root -not -type d -o -name '*fmsg*'
            ls "$share/doc"
            \(install) --remove /nowhere /usr "$SCRATCH/root" || exit 3
            """)
        #expect(run.status == 0)
        #expect(run.out == "root/usr/share/man/man1/other.1\nother\n")
    }

    @Test func whatIsWrongIsNamed() async throws {
        let run = try await Shell().run(
            """
            exec 2>&1
            mkdir empty
            \(install) empty /usr "$SCRATCH/root"; echo $?
            \(install) empty usr; echo $?
            \(install) --nonsense; echo $?
            """)
        let lines = run.out.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines[0].hasSuffix("/empty/fmsg is not there; run: make release"))
        #expect(lines[2] == "install: PREFIX must be an absolute path, and is: usr")
        #expect(lines[4] == "install: unknown option: --nonsense")
        #expect([lines[1], lines[3], lines[5]] == ["1", "1", "1"])
    }
}
