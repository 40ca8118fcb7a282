import Testing

@testable import CommandLineTool

struct ExternalCommandTests {
    func find(_ name: String, path: String = "/usr/bin:/bin", _ files: String...) -> String? {
        ExternalCommand.find(
            name, program: "fmsg", executablePath: "/opt/fmsg/bin/fmsg", searchPath: path,
            isExecutable: files.contains)
    }

    @Test func firstBesideTheProgramThenOnThePath() {
        #expect(
            find("host", "/bin/fmsg-host", "/opt/fmsg/bin/fmsg-host") == "/opt/fmsg/bin/fmsg-host")
        #expect(find("host", "/bin/fmsg-host", "/usr/bin/fmsg-host") == "/usr/bin/fmsg-host")
        #expect(find("host", "/bin/fmsg-host") == "/bin/fmsg-host")
        #expect(find("host", "/bin/fmsg-repl") == nil)
    }

    @Test func relativeFoldersAndOddNamesRunNothing() {
        #expect(find("x", path: ".::bin", "./fmsg-x", "fmsg-x", "bin/fmsg-x") == nil)
        #expect(find("../x", "/bin/fmsg-../x", "/usr/bin/fmsg-../x") == nil)
        #expect(find("-x", "/bin/fmsg--x") == nil)
        #expect(find("", "/bin/fmsg-") == nil)
    }

    @Test func theWholeLineIsHandedOn() throws {
        let arguments = ["--json", "host", "run", "--port", "0", "--help", "--", "x"]
        let request = try Sample.parser.parse(arguments) { "/bin/fmsg-\($0)" }
        guard case .external(let path, let rest) = request else {
            Issue.record("not handed on")
            return
        }
        #expect(path == "/bin/fmsg-host")
        #expect(rest == ["--json", "run", "--port", "0", "--help", "--", "x"])
    }

    @Test func aBuiltInCommandIsNeverLookedFor() throws {
        _ = try Sample.parser.parse(["inbox", "--json"]) {
            Issue.record("looked for \($0)")
            return nil
        }
        let request = try Sample.parser.parse(["extra", "-z"]) { $0 == "extra" ? "/x" : nil }
        guard case .external("/x", ["-z"]) = request else {
            Issue.record("not handed on")
            return
        }
    }
}
