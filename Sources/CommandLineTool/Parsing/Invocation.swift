/// A command line that was understood: a command with the options and operands given to it.
public struct Invocation: Sendable {
    /// One option as it stood on the line.
    public struct Occurrence: Sendable, Equatable {
        /// The option's long name.
        public let long: String
        /// Its value; nil for a flag, and for a bare option whose value may be left out.
        public let text: String?
    }

    public let command: CommandDeclaration
    /// Every option given, the global ones too, in the order of the line.
    public let occurrences: [Occurrence]
    /// The operands by the names of their declarations.
    let operands: [String: [String]]

    /// The value of an option; of one that was not given, what it declares for that.
    public subscript<Value>(option: Option<Value>) -> Value {
        let long = option.declaration.long
        return option.read(occurrences.filter { $0.long == long }.map(\.text))
    }

    /// The value of an operand.
    /// - Throws: ``UsageError`` when it is missing or malformed, which the parser has ruled out
    ///   for the operands that the command declares.
    public subscript<Value>(operand: Operand<Value>) -> Value {
        get throws(UsageError) {
            do {
                return try operand.read(operands[operand.declaration.name] ?? [])
            } catch {
                throw usageError("\(operand.declaration.name): \(error.reason)")
            }
        }
    }

    /// Whether an option was given at all.
    public func isGiven(_ option: any DeclaredOption) -> Bool {
        let long = option.declaration.long
        return occurrences.contains { $0.long == long }
    }

    /// Those of the options that were given, as words for another line.
    public func words(of options: [any DeclaredOption]) -> [String] {
        let names = Set(options.map(\.declaration.long))
        return occurrences.filter { names.contains($0.long) }.map { occurrence in
            occurrence.text.map { "--\(occurrence.long)=\($0)" } ?? "--\(occurrence.long)"
        }
    }

    /// A usage error of this command, for what only the command itself can know.
    public func usageError(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: command.path)
    }
}
