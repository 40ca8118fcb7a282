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
        return faults
    }

    private func faultsOfText(_ command: CommandDeclaration) -> [String] {
        var faults: [String] = []
        if command.summary.isEmpty || command.summary.count >= 60 || command.summary.last == "." {
            faults.append("\(command.name): a summary has 1 to 59 characters and no full stop")
        }
        if command.examples.isEmpty { faults.append("\(command.name): no example") }
        for example in command.examples where !example.command.contains(program) {
            faults.append("\(command.name): an example without \(program)")
        }
        return faults
    }

    private func faultsOfOptions(
        _ options: [OptionDeclaration], of command: CommandDeclaration
    ) -> [String] {
        var faults: [String] = []
        for (index, option) in options.enumerated() {
            let earlier = options[..<index]
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
        if Set(command.operands.map(\.name)).count < command.operands.count {
            faults.append("\(command.name): two operands of one name")
        }
        return faults
    }
}
