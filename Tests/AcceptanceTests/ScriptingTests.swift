import FmsgCore
import FmsgTransport
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
    private func host() async throws -> TestHost {
        let host = try TestHost()
        let (alice, carol) = (try client(host, "alice"), try client(host, "carol"))
        let (bob, all) = ("@bob@example.com", ["@bob@example.com", "@carol@example.com"])
        try await alice.send(
            NewMessage(to: all, topic: "Lunch", text: "Noodles at noon?", isImportant: true))
        try await carol.replyAll(to: try await carol.message(.id(1)), text: "Gladly.")
        try await alice.send(
            NewMessage(to: [bob], topic: "Report", text: "The numbers are in: 42"))
        try await carol.send(NewMessage(to: [bob], topic: "Build", text: "build 17 failed"))
        return host
    }

    private func client(_ host: TestHost, _ user: String) throws -> FmsgClient {
        FmsgClient(
            host: try HostURL(host.url), credential: .apiKey(host.key(user)),
            transport: CurlTransport(settings: TransportSettings()),
            clock: FmsgClock(now: { 0 }, uptime: { 0 }, sleep: { _ in }))
    }

    @Test func thereAreRecipes() { #expect(Self.recipes.count > 20) }

    @Test(arguments: recipes.indices)
    func aRecipeWorks(_ index: Int) async throws {
        let recipe = Self.recipes[index]
        let host = try await host()
        defer { host.stop() }
        var bob = Shell(host, as: "bob")
        bob.environment["TOKEN"] = try host.ownerToken("bob")
        let run = try await bob.run(recipe.script)
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
