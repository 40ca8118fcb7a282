import CommandLineTool

/// The numbers before the lines of a list at a prompt: `%1`, by which a line to come names the
/// message. On a command line of its own there are none.
struct LineNumbers: Sendable {
    /// The columns that they take, with the gap after them.
    let width: Int
    private let style: Style

    /// - Parameter count: how many lines there are.
    init(count: Int, _ output: Output) {
        width = output.numbersLines ? "%\(count)  ".utf8.count : 0
        style = output.style
    }

    /// What stands before a line.
    /// - Parameter index: of the line, from 0.
    func text(_ index: Int) -> String {
        guard width > 0 else { return "" }
        return style.apply(.dim, to: DisplayText.pad("%\(index + 1)", width: width - 2)) + "  "
    }
}
