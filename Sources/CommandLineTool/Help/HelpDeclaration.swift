/// The command `help`, which every program has: the same text as `--help`.
public enum HelpDeclaration {
    public static let words = Operand.repeated(
        "COMMAND", .text("COMMAND", kind: .commandName),
        "A command or a topic; without one, all of them")

    public static func command(examples: [Example]) -> CommandDeclaration {
        CommandDeclaration(
            "help", group: .help, summary: "Show help for a command or topic, or list them",
            operands: [words], examples: examples)
    }
}
