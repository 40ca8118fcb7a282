import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every recipe of `docs/scripting.md` does what stands below it.
@Suite struct ScriptingTests {
    private static let recipes = Recipe.all()

    /// Bob's inbox as the document shows it.
    private func host() throws -> TestHost {
        let host = try TestHost()
        var shell = Shell(host, as: "alice")
        shell.environment["CAROL"] = host.key("carol")
        let written = try shell.run(
            """
            set -e
            fmsg send @bob@example.com @carol@example.com "Noodles at noon?" -t Lunch --important
            FMSG_API_KEY=$CAROL fmsg reply-all -1 "Gladly."
            fmsg send @bob@example.com "The numbers are in: 42" -t Report
            FMSG_API_KEY=$CAROL fmsg send @bob@example.com "build 17 failed" -t Build
            """)
        try #require(written.out == "1\n2\n3\n4\n")
        return host
    }

    @Test func thereAreRecipes() { #expect(Self.recipes.count > 20) }

    @Test(arguments: recipes.indices)
    func aRecipeWorks(_ index: Int) throws {
        let recipe = Self.recipes[index]
        let host = try host()
        defer { host.stop() }
        var bob = Shell(host, as: "bob")
        bob.environment["TOKEN"] = try host.ownerToken("bob")
        let run = try bob.run(recipe.script)
        #expect(run.status == 0 && run.out == recipe.output, "\(recipe.script)")
    }
}

/// A script of a document, and what it prints.
private struct Recipe {
    let script: String
    let output: String

    /// Each block `sh` with the block `text` after it, and each line of a `crontab`, which prints
    /// nothing.
    static func all() -> [Recipe] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/scripting.md")
        let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let blocks = text.split(separator: "```\n\n", omittingEmptySubsequences: false)
            .map { block in
                block.split(separator: "```", maxSplits: 1, omittingEmptySubsequences: false).last
                    ?? ""
            }
        func content(_ block: Substring, _ language: String) -> String? {
            let block = block.hasSuffix("```\n") ? block.dropLast(4) : block
            return block.hasPrefix(language + "\n")
                ? String(block.dropFirst(language.count + 1)) : nil
        }
        return blocks.enumerated().flatMap { index, block -> [Recipe] in
            if let jobs = content(block, "crontab") {
                return jobs.split(separator: "\n").map { job in
                    let command = job.split(separator: " ", maxSplits: 5).last ?? ""
                    return Recipe(script: String(command), output: "")
                }
            }
            guard let script = content(block, "sh") else { return [] }
            let next = index + 1 < blocks.count ? blocks[index + 1] : ""
            return [Recipe(script: script, output: content(next, "text") ?? "")]
        }
    }
}
