import FmsgCore
import Glibc
import TestSupport
import Testing

@testable import FmsgHost

/// `docs/schema` says what the commands of `fmsg host` print with `--json`.
@Suite struct HostSchemaTests {
    private static let schemas = JSONSchema.ofPackage

    @Test func eachCommandHasASchema() {
        let names = HostProgram.parser.commands.filter { $0.output != nil }
            .map { "host-" + $0.path.joined(separator: "-") }
        for name in names where !Self.schemas.names.contains(name) {
            Issue.record("docs/schema/\(name).json is missing: add what the command prints")
        }
        for name in Self.schemas.names where name.hasPrefix("host-") && !names.contains(name) {
            Issue.record("docs/schema/\(name).json is no command's")
        }
    }

    @Test func whatIsPrintedFits() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for arguments in [
            ["user", "add", "@alice@example.com"], ["user", "list"],
            ["token", "@alice@example.com"],
            ["run", "--port", "0"],
        ] {
            let program = try BuiltProgram(
                "fmsg-host", arguments + ["--json", "--data", folder.path + "/data"])
            let line = try JSON.read(try await program.readLine())
            program.send(SIGTERM)
            _ = await program.wait()
            let name = arguments.prefix { !$0.hasPrefix("@") && !$0.hasPrefix("-") }
            let faults = Self.schemas.faults(of: line, "host-" + name.joined(separator: "-"))
            #expect(faults.isEmpty)
        }
    }
}
