import CommandLineTool
import TestSupport
import Testing

@testable import FmsgCommands

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct HelpTests {
    private let line = CommandLine(url: "https://host.example", key: nil)

    @Test func theDeclarationsHaveNoFaults() {
        #expect(FmsgProgram.parser.declarationFaults.isEmpty)
    }

    /// A page a command and topic, the same by either way to ask, at any width, in a pipe.
    @Test func everyPageIsThere() async throws {
        let overview = await line.run("help").out
        for command in FmsgProgram.parser.commands where !command.isExternal {
            let run = await line.run(["help"] + command.path)
            let asked = await line.run(command.path + ["--help"])
            #expect(run.exitCode == .done && run.out == asked.out, "\(command.name)")
            #expect(!run.out.contains("\n\n\n") && !run.out.contains("\u{1B}"))
            #expect(overview.contains(command.summary))
        }
        for topic in FmsgProgram.parser.topics {
            let run = await line.run("help", topic.name)
            #expect(run.exitCode == .done && run.out.hasPrefix("\(topic.summary)\n\n"))
            #expect(!run.out.contains("\n\n\n"))
            #expect(overview.contains("  \(topic.name)"))
        }
    }

    @Test func aLetterAsksForLess() async {
        let brief = await line.run("send", "-h").out
        let whole = await line.run("send", "--help").out
        #expect(brief.split(separator: "\n").count < whole.split(separator: "\n").count)
        #expect(brief.contains("Examples:") && brief.hasSuffix("See also: fmsg send --help\n"))
        #expect(!brief.contains("Exit codes") && whole.contains("Exit codes"))
    }

    @Test func aNarrowTerminalIsEnough() async {
        var narrow = line
        narrow.terminals = [.output]
        narrow.columns = 20
        for name in ["", "inbox", "agents", "environment"] {
            let run = await narrow.run(name.isEmpty ? ["help"] : ["help", name])
            #expect(run.exitCode == .done)
            // Only what must not be broken is longer.
            let long = run.lines.filter { $0.count > 20 && !$0.hasPrefix("  ") }
            #expect(long.isEmpty, "\(long)")
        }
    }

    @Test func whatIsMistypedIsFound() async {
        for (words, hint) in [
            (["help", "enviroment"], "did you mean environment?"),
            (["help", "agent", "x"], "see: fmsg help agent"),
            (["help", "exit-code"], "did you mean exit-codes?"),
            (["read", "1"], "did you mean show?"), (["help", "log"], "did you mean thread?"),
            (["inbxo"], "did you mean inbox?"), (["inbox", "--unred"], "did you mean --unread?"),
        ] {
            let run = await line.run(words)
            #expect(run.exitCode == .usage && run.out.isEmpty)
            #expect(run.err.hasSuffix("; \(hint)\n"), "\(run.err)")
        }
    }

    /// Who reads `N` in a list finds what it says.
    @Test func theLettersOfListsAreExplained() async {
        let topic = await line.run("help", "output").out
        let inbox = await line.run("help", "inbox").out.replacing("\n", with: " ")
        for flag in MessageFlag.allCases {
            #expect(topic.contains("  \(flag.sign)  \(flag.rawValue) "))
            #expect(inbox.contains("\(flag.sign) \(flag.rawValue)"))
        }
    }

    /// A variable that is read or set somewhere stands in the help.
    @Test func everyVariableIsExplained() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/FmsgCommands/Settings/EnvironmentVariable.swift")
        let text = String(decoding: try Data(contentsOf: sources), as: UTF8.self)
        let names = text.split(separator: "\"").filter { $0.hasPrefix("FMSG_") }.map(String.init)
        #expect(names.count > 10)
        let explained = (EnvironmentVariable.read + EnvironmentVariable.handedOn).map(\.name)
        for name in names { #expect(explained.contains(name), "\(name) has no meaning") }
    }

    @Test func theVersionNamesWhatCarriesRequests() async {
        let brief = await line.run("--version")
        #expect(brief.exitCode == .done && brief.lines == [FmsgVersion.line("fmsg")])
        for words in [["--version", "--verbose"], ["-v", "--version"]] {
            let run = await line.run(words)
            #expect(run.lines.count == 2 && run.lines.last?.contains("libcurl/") == true)
        }
    }
}
