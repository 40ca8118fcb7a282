import CommandLineTool
import FmsgHost
import TestSupport
import Testing

@testable import FmsgCommands

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every example that can be read somewhere works as it stands.
@Suite struct DocumentedExamplesTests {
    private func check(_ lines: [String], for command: String) async throws {
        guard !lines.isEmpty else { return }
        let scene = try await ExampleScene(for: command)
        for line in lines {
            let outcome = try await ExampleRun(line: line, scene: scene).run()
            #expect(
                outcome.isAsItShouldBe,
                """
                "\(line)" ended with \(outcome.status)\(outcome.wasStopped ? " when stopped" : "").
                What it needs to work belongs into ExampleScene, for "\(command)"; a command that \
                goes on until it is stopped declares that by endlessUnless.
                \(outcome.output)
                """)
        }
    }

    @Test(arguments: FmsgProgram.parser.commands.map(\.name))
    func ofACommand(_ name: String) async throws {
        let command = FmsgProgram.parser.commands.first { $0.name == name }
        try await check(command?.examples.map(\.command) ?? [], for: name)
    }

    @Test(arguments: HostProgram.parser.commands.map(\.name))
    func ofTheHost(_ name: String) async throws {
        let command = HostProgram.parser.commands.first { $0.name == name }
        try await check(command?.examples.map(\.command) ?? [], for: name)
    }

    @Test(arguments: FmsgProgram.parser.topics.map(\.name))
    func ofATopic(_ name: String) async throws {
        let topic = FmsgProgram.parser.topics.first { $0.name == name }
        let examples = topic?.examples.map(\.command) ?? []
        #expect(try await check(examples) == examples.count)
    }

    private func text(_ path: String) throws -> String {
        let file = URL(filePath: "\(ReferenceTests.package)/\(path)")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Checks the lines of a text that call the suite, those of a command together.
    private func check(_ code: [String]) async throws -> Int {
        let calls = code.filter { $0.contains("fmsg") && !$0.hasPrefix("make") }
        let groups = Dictionary(grouping: calls) { line in
            // What needs nothing of its own shares a scene.
            let name = ExampleCall(line)?.invocation.command.name ?? ""
            return ExampleScene.hasNeeds(name) ? name : ""
        }
        for (command, lines) in groups { try await check(lines, for: command) }
        return calls.count
    }

    @Test func ofTheReadme() async throws {
        let code = try text("README.md").split(separator: "\n")
            .filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
        #expect(try await check(code.filter { $0.first != " " }) > 10)
    }

    @Test func ofTheTutorial() async throws {
        var isCode = false
        var code: [String] = []
        for line in try text("man/man7/fmsg-tutorial.7").split(separator: "\n") {
            if line == ".nf" || line == ".fi" {
                isCode = line == ".nf"
            } else if isCode {
                let typed = String(line).replacing("\\-", with: "-").replacing("\\(aq", with: "'")
                code.append(typed.replacing("\\[u1F44D]", with: "👍"))
            }
        }
        #expect(code.count > 10)
        #expect(try await check(code) == code.count)
    }
}
