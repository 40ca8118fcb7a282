import CommandLineTool
import FmsgCommands
import FmsgHost

/// Everything that is made from the declarations: completions, the manual, and parts of the README.
enum ReferenceFiles {
    /// The files by their paths in the package.
    static var all: [(path: String, text: String)] {
        completions + pages.map { ("man/\($0.path)", $0.text) }
    }

    private static let fmsg = FmsgProgram.parser

    private static var completions: [(path: String, text: String)] {
        let script = CompletionScript(fmsg)
        return [
            ("completions/fmsg.bash", script.text(for: .bash)),
            ("completions/_fmsg", script.text(for: .zsh)),
            ("completions/fmsg.fish", script.text(for: .fish)),
        ]
    }

    private static var pages: [ManualPage] {
        let config = ManualPage.Reference("fmsg-config", 5)
        let tutorial = ManualPage.Reference("fmsg-tutorial", 7)
        let suite = ManualPage.Reference("fmsg", 1)
        let all = fmsg.commands.map(reference)
        let ofFiles = ConfigurationTopic.topic
        let program = ManualPage.of(
            fmsg, about: "messages between people, businesses and agents",
            description: FmsgProgram.description,
            // These two have pages of their own.
            topics: fmsg.topics.filter {
                ![ofFiles.name, TutorialTopic.topic.name].contains($0.name)
            },
            seeAlso: [tutorial] + all + [config])
        let host = ManualPage.whole(
            HostProgram.parser, about: "an fmsg host for one domain",
            description: HostProgram.description, seeAlso: [suite, tutorial])
        let files = ManualPage.ofFiles(
            config.name, ofFiles, fmsg.topics.filter { $0.name == "environment" },
            seeAlso: [suite])
        // A program of its own has a page of its own, unless its command declares all of it.
        let commands = fmsg.commands.filter { !$0.isAllExternal }.map { command in
            let others = fmsg.commands.filter { $0.group == command.group }.map(reference)
            return ManualPage.of(
                command, in: fmsg, seeAlso: [suite] + others + [config, tutorial])
        }
        return [program, host, files] + commands
    }

    private static func reference(_ command: CommandDeclaration) -> ManualPage.Reference {
        ManualPage.Reference((["fmsg"] + command.path).joined(separator: "-"), 1)
    }

    /// Writes them all, and removes what would be made no more.
    static func write(to folder: String, _ files: some FileSystem) throws {
        let all = all
        for (path, text) in all {
            let path = "\(folder)/\(path)"
            try files.createFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            try files.writeAtomically(path, Array(text.utf8), mode: 0o644)
        }
        for room in ["completions", "man/man1", "man/man5"] {
            for name in try files.list("\(folder)/\(room)")
            where !all.contains(where: { $0.path == "\(room)/\(name)" }) {
                try files.remove("\(folder)/\(room)/\(name)")
            }
        }
        let readme = "\(folder)/README.md"
        let text = String(decoding: try files.read(readme, limit: 1 << 20), as: UTF8.self)
        let renewed = try ReadmeParts.renew(text)
        if renewed != text { try files.writeAtomically(readme, Array(renewed.utf8), mode: 0o644) }
    }
}
