extension CommandLineParser {
    /// Gives each operand its words.
    func assign(
        _ words: [String], to command: CommandDeclaration
    ) throws(UsageError) -> [String: [String]] {
        var rest = try surroundings.completed(words, of: command)[...]
        var assigned: [String: [String]] = [:]
        for (index, operand) in command.operands.enumerated() {
            let needed = command.operands[(index + 1)...].reduce(0) { $0 + $1.minimum }
            let free = max(0, rest.count - needed)
            let count =
                switch operand.arity {
                case .required: 1
                case .optional: min(1, free)
                case .repeated(let minimum): max(minimum, free)
                }
            guard count <= rest.count else { throw missing(operand, of: command) }
            var taken: [String] = []
            for word in rest.prefix(count) {
                let word = try surroundings.meaning(of: word, operand.kind)
                try check(word, operand, command)
                taken.append(word)
            }
            assigned[operand.name] = taken
            rest = rest.dropFirst(count)
        }
        if let extra = rest.first {
            throw UsageError(
                "\(command.name): unexpected operand \(quoted(extra))",
                hint: "usage: \(usage(of: command))", command: command.path)
        }
        return assigned
    }

    private func check(
        _ word: String, _ operand: OperandDeclaration, _ command: CommandDeclaration
    ) throws(UsageError) {
        do {
            try operand.check(word)
        } catch {
            throw UsageError(
                "\(operand.name) \(quoted(word)): \(error.reason)", command: command.path)
        }
    }

    private func missing(
        _ operand: OperandDeclaration, of command: CommandDeclaration
    ) -> UsageError {
        let wanted =
            if case .repeated(let minimum) = operand.arity, minimum > 1 {
                "at least \(minimum) \(operand.name)"
            } else {
                operand.name
            }
        return UsageError(
            "\(command.name) needs \(wanted): \(operand.summary)",
            hint: "usage: \(usage(of: command))", command: command.path)
    }

    /// One line: `fmsg reply [options] MESSAGE [TEXT]`.
    public func usage(of command: CommandDeclaration) -> String {
        var parts = [program, command.name]
        if !command.options.isEmpty { parts.append("[options]") }
        for operand in command.operands {
            switch operand.arity {
            case .required: parts.append(operand.name)
            case .optional: parts.append("[\(operand.name)]")
            case .repeated(min: 0): parts.append("[\(operand.name)...]")
            case .repeated: parts.append("\(operand.name)...")
            }
        }
        return parts.joined(separator: " ")
    }

    func unknownCommand(
        _ path: [String], _ word: String, orTopic: Bool = false
    ) -> UsageError {
        let names = nextWords(after: path) + (orTopic ? topics.map(\.name) : [])
        let alike = commands.filter { $0.path.dropLast() == path[...] && $0.alike.contains(word) }
        let near =
            alike.isEmpty
            ? NearestNames.of(word, among: names) : alike.compactMap(\.path.last)
        let name = (path + [shown(word)]).joined(separator: " ")
        let prefix = path.isEmpty ? "" : path.joined(separator: " ") + " "
        return UsageError(
            "unknown command\(orTopic ? " or topic" : ""): \(name)",
            hint: didYouMean(near.map { prefix + $0 })
                ?? "one of: \(names.joined(separator: ", "))",
            command: path)
    }

    /// Why the help has no page for these words: the first that leads nowhere is named.
    func unknownPage(_ path: [String]) -> UsageError {
        let known = path.indices.last { begins(Array(path[..<$0])) } ?? 0
        let before = Array(path[..<known])
        let isTopic = known == 0 && path.count > 1 && topics.contains { $0.name == path[0] }
        if isTopic || (known > 0 && nextWords(after: before).isEmpty) {
            let name = isTopic ? path[0] : before.joined(separator: " ")
            let word = path[isTopic ? 1 : known]
            return UsageError(
                "\(name) has nothing below it that is named \(quoted(word))",
                hint: "see: \(program) help \(name)")
        }
        return unknownCommand(before, path[known], orTopic: known == 0)
    }

    func missingCommand(_ path: [String]) -> UsageError {
        path.isEmpty
            ? UsageError("no command was given", hint: "see: \(program) --help")
            : UsageError(
                "\(path.joined(separator: " ")) is not a whole command",
                hint: "one of: \(nextWords(after: path).joined(separator: ", "))",
                command: path)
    }

    /// The words that can follow `path`, each once.
    func nextWords(after path: [String]) -> [String] {
        var words: [String] = []
        for command in commands where command.path.starts(with: path) {
            guard command.path.count > path.count else { continue }
            let word = command.path[path.count]
            if !words.contains(word) { words.append(word) }
        }
        return words
    }
}
