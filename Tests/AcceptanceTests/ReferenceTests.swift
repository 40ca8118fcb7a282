import FmsgHost
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is made from the declarations and kept in the package.
@Suite struct ReferenceTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// `make generate` would change nothing.
    @Test func itIsUpToDate() async throws {
        let folder = try TemporaryFolder(prefix: "fmsg-test-reference")
        defer { folder.remove() }
        let readme = try text("\(Self.package)/README.md")
        try Data(readme.utf8).write(to: URL(filePath: folder.path + "/README.md"))
        let program = try BuiltProgram("generate-reference", [folder.path])
        #expect(await program.wait() == 0)
        let made = try files(folder.path).filter { $0.contains(".") || $0.hasSuffix("_fmsg") }
        #expect(made.count > 20)
        for path in made {
            let kept = try? text("\(Self.package)/\(path)")
            #expect(kept == (try text("\(folder.path)/\(path)")), "\(path): run make generate")
        }
        for room in ["completions", "man/man1", "man/man5"] {
            let kept = try files("\(Self.package)/\(room)")
            #expect(kept == (try files("\(folder.path)/\(room)")), "\(room): run make generate")
        }
    }

    /// The picture in the README is what a terminal shows today.
    @Test func thePictureIsOfThisProgram() async throws {
        let picture = try text("\(Self.package)/docs/session.svg")
        let run = try await Shell().run(
            "'\(Self.package)/scripts/picture' '\(BuiltProgram.folder)' 2>&1")
        #expect(run.out == picture, "docs/session.svg: run make generate")
        #expect(picture.contains("Noodles at noon?"))
    }

    /// Every page, by the strictest reader there is, and as it is shown.
    @Test func thePagesAreClean() async throws {
        let run = try await Shell().run(
            """
            mandoc -T lint '\(Self.package)'/man/man*/* 2>&1
            for page in '\(Self.package)'/man/man*/*; do
                mandoc -T ascii -O width=78 "$page" | col -bx | awk -v page="$page" \\
                    'length > 80 { print page ": wider than 80 columns: " $0 }'
            done
            """)
        #expect(run.out == "")
    }

    /// A page shows what is to be typed as it is to be typed.
    @Test func examplesCanBeCopiedFromThePages() async throws {
        let run = try await Shell().run(
            "mandoc -T utf8 -O width=78 '\(Self.package)'/man/man1/fmsg.1 | col -bx")
        for line in [
            "fmsg inbox --json | jq -r '.[] | select(.important) | .topic'",
            "fmsg show 999 --quiet; [ $? = 3 ] && echo \"no such message\"",
            "fmsg thread 42 --json | jq .root_id",
        ] { #expect(run.out.contains("       \(line)\n"), "\(line)") }
    }

    @Test func thePagesHaveTheVersion() throws {
        let tutorial = try text("\(Self.package)/man/man7/fmsg-tutorial.7")
        let page = try text("\(Self.package)/man/man1/fmsg.1")
        let heading = try #require(
            page.split(separator: "\n").first { $0.hasPrefix(".TH FMSG 1 ") })
        #expect(
            tutorial.hasPrefix(".TH FMSG-TUTORIAL 7 \(heading.dropFirst(".TH FMSG 1 ".count))\n"))
    }
}
