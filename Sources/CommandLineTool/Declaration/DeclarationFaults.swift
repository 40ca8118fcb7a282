extension CommandLineParser {
    /// What is wrong with the declarations themselves, in one line each: for a test of the
    /// program, which expects none.
    public var declarationFaults: [String] {
        var faults: [String] = []
        for (index, command) in commands.enumerated() {
            if commands[..<index].contains(where: { $0.path == command.path }) {
                faults.append("\(command.name): declared twice")
            }
            faults += faultsOfText(command)
            faults += faultsOfOptions(globalOptions + command.options, of: command)
            faults += faultsOfOperands(command)
        }
        for topic in topics {
            if begins([topic.name]) { faults.append("\(topic.name): a command and a topic") }
            if !isSummary(topic.summary) { faults.append("\(topic.name): \(Self.summaryRule)") }
        }
        return faults
    }

    private static let summaryRule = "a summary has 1 to 59 characters and no full stop"

    private func isSummary(_ text: String) -> Bool {
        (1..<60).contains(text.count) && text.last != "."
    }

    private func faultsOfText(_ command: CommandDeclaration) -> [String] {
        var faults: [String] = []
        if !isSummary(command.summary) { faults.append("\(command.name): \(Self.summaryRule)") }
        if command.examples.isEmpty { faults.append("\(command.name): no example") }
        for example in command.examples {
            let call = "\(program) \(command.name)"
            if !example.command.contains(call) {
                faults.append("\(command.name): an example without \"\(call)\"")
            }
            // Else it would not stand on one line of the manual.
            if DisplayText.width(example.command) > 72 {
                faults.append("\(command.name): an example is longer than 72 columns")
            }
            faults += faultsOfSummary(example.explanation, of: "an example", command)
        }
        for word in command.alike where begins(command.path.dropLast() + [word]) {
            faults.append("\(command.name): \(word) is a command of its own")
        }
        for ending in command.endings ?? []
        where !command.options.contains(where: { $0.long == ending }) {
            faults.append("\(command.name): --\(ending) should end it and is not declared")
        }
        return faults
    }

    private func faultsOfOptions(
        _ options: [OptionDeclaration], of command: CommandDeclaration
    ) -> [String] {
        var faults: [String] = []
        for (index, option) in options.enumerated() {
            let earlier = options[..<index]
            faults += faultsOfSummary(option.summary, of: option.flag, command)
            if earlier.contains(where: { $0.long == option.long }) {
                faults.append("\(command.name): \(option.flag) is declared twice")
            }
            guard let letter = option.short else { continue }
            if earlier.contains(where: { $0.short == letter }) {
                faults.append("\(command.name): -\(letter) is declared twice")
            }
            if !letter.isASCII || !letter.isLetter {
                faults.append("\(command.name): -\(letter) is no letter")
            }
        }
        return faults
    }

    private func faultsOfOperands(_ command: CommandDeclaration) -> [String] {
        var faults: [String] = []
        let repeated = command.operands.filter {
            if case .repeated = $0.arity { true } else { false }
        }
        if repeated.count > 1 { faults.append("\(command.name): two repeated operands") }
        for operand in command.operands {
            faults += faultsOfSummary(operand.summary, of: operand.name, command)
        }
        if Set(command.operands.map(\.name)).count < command.operands.count {
            faults.append("\(command.name): two operands of one name")
        }
        return faults
    }

    private func faultsOfSummary(
        _ text: String, of name: String, _ command: CommandDeclaration
    ) -> [String] {
        let fault: String? =
            text.isEmpty ? "is empty" : text.last == "." ? "ends in a full stop" : nil
        return fault.map { ["\(command.name): the summary of \(name) \($0)"] } ?? []
    }
}
