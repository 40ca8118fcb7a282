import CommandLineTool
import FmsgCommands

/// The tables of the README that are made from the declarations. Each stands between the lines
/// `<!-- made: NAME -->` and `<!-- end -->`.
enum ReadmeParts {
    /// The text with its tables made anew.
    /// - Throws: ``UsageError`` for a table that is not known or has no end.
    static func renew(_ readme: String) throws(UsageError) -> String {
        var lines: [Substring] = []
        var rest = readme.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = rest.popFirst() {
            lines.append(line)
            guard line.hasPrefix("<!-- made: ") else { continue }
            let name = line.dropFirst("<!-- made: ".count).prefix { $0 != " " }
            guard let table = table(String(name)),
                let end = rest.firstIndex(of: "<!-- end -->")
            else { throw UsageError("README.md: the part \(name) is not known or has no end") }
            lines += table.map { $0[...] }
            rest = rest[end...]
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ name: String) -> [String]? {
        switch name {
        case "commands":
            let rows = CommandGroup.allCases.flatMap { group in
                FmsgProgram.parser.commands.filter { $0.group == group }
            }
            return ["", "| Command | |", "|---|---|"]
                + rows.map { "| `\($0.name)` | \($0.summary) |" } + [""]
        case "exit-codes":
            return ["", "| Exit | Meaning |", "|---|---|"]
                + ExitCode.all.map { "| \($0.rawValue) | \($0.meaning) |" } + [""]
        default: return nil
        }
    }
}
