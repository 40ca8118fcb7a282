import CommandLineTool
import FmsgCore
import TestSupport
import Testing

@testable import FmsgCommands

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `docs/schema` says what `--json` prints: it is complete, it is what the commands declare, and it
/// holds for all that the golden files show.
@Suite struct SchemaTests {
    private static let schemas = JSONSchema.ofPackage

    /// The commands that print JSON of their own, by the names of their schemas.
    private static let commands: [String: any Command.Type] = Dictionary(
        uniqueKeysWithValues: CommandTable.all.filter { $0.declaration.output != nil }
            .map { ($0.declaration.path.joined(separator: "-"), $0) })

    @Test func eachCommandHasASchema() {
        for name in Self.commands.keys where !Self.schemas.names.contains(name) {
            Issue.record("docs/schema/\(name).json is missing: add what the command prints")
        }
        let known = Set(Self.commands.keys).union(Self.schemas.references).union(["error"])
        for name in Self.schemas.names where !known.contains(name) && !name.hasPrefix("host-") {
            Issue.record("docs/schema/\(name).json is no command's, and nothing refers to it")
        }
    }

    /// `--fields` knows the keys that the schema tells, and no others.
    @Test(arguments: commands.keys.sorted())
    func theSchemaHasTheKeysOfTheCommand(_ name: String) throws {
        let command = try #require(Self.commands[name])
        let keys = Set(command.keys)
        #expect(Self.schemas.keys(name).isSuperset(of: keys), "add to docs/schema/\(name).json")
        #expect(keys.isSuperset(of: Self.schemas.keys(name)), "add to the command's keys")
    }

    @Test func whatTheGoldenFilesShowFits() throws {
        var shown: Set<String> = []
        for golden in try Golden.all() {
            for line in golden.json {
                let faults = Self.schemas.faults(of: try JSON.read(line), golden.command)
                #expect(faults.isEmpty, "\(golden.file)")
                shown.insert(golden.command)
            }
            for line in golden.errors where line.hasPrefix("{") {
                let faults = Self.schemas.faults(of: try JSON.read(line), "error")
                #expect(faults.isEmpty, "\(golden.file)")
            }
        }
        for name in Self.commands.keys where !shown.contains(name) {
            Issue.record("no golden file shows the JSON of \(name): add a line to GoldenTests")
        }
    }

    /// A validator that takes everything would prove nothing.
    @Test func whatDoesNotFitIsFound() throws {
        for name in Self.schemas.names {
            for text in ["7", "null", "{}", #"[{"id":"1"}]"#, #"{"type":"nonsense"}"#] {
                #expect(
                    !Self.schemas.faults(of: try JSON.read(text), name).isEmpty, "\(name): \(text)")
            }
        }
        let message = #"{"id":1,"from":"@a@b","to":[],"time":null,"time_rfc3339":null"#
        let faults = { (rest: String) throws -> Int in
            Self.schemas.faults(of: try JSON.read(message + rest), "message").count
        }
        #expect(try faults("}") == 0 && faults(#","new_field":7}"#) == 0)
        #expect(try faults(#","sha256":"x"}"#) == 1 && faults(#","pid":0}"#) == 1)
        #expect(try faults(#","attachments":[{"filename":"a"}]}"#) == 1)
        #expect(try faults(#","pid":1.5}"#) == 1)
    }
}

/// A golden file, taken apart.
private struct Golden {
    let file: String
    /// The command that it shows, by the name of its schema.
    let command: String
    /// The lines of JSON on stdout and on stderr.
    let json: [String]
    let errors: [String]

    static func all() throws -> [Golden] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false))
        return try names.filter { $0.hasSuffix(".txt") }.map { name in
            let text = String(
                decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            return try #require(Golden(name, text), "\(name)")
        }
    }

    private init?(_ file: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, first.hasPrefix("$ fmsg "),
            let start = lines.firstIndex(where: { $0.hasPrefix("--- as JSON: ") })
        else { return nil }
        let words = first.dropFirst("$ fmsg ".count).split(separator: " ").map(String.init)
        let command = CommandTable.all.filter { words.starts(with: $0.declaration.path) }
            .max { $0.declaration.path.count < $1.declaration.path.count }
        guard let command else { return nil }
        self.file = file
        self.command = command.declaration.path.joined(separator: "-")
        let rest = lines[(start + 1)...]
        let parts = rest.split(
            separator: "--- stderr", maxSplits: 1, omittingEmptySubsequences: false)
        json = command.declaration.output == nil ? [] : parts[0].filter { !$0.isEmpty }
        errors = parts.count > 1 ? Array(parts[1]) : []
    }
}
