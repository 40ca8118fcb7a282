extension CommandLineParser {
    /// Gives the words of a value that only the program knows, such as ids of messages: for a
    /// kind, with what was typed of the value, on a line.
    public typealias LiveCandidates = (
        _ kind: ValueKind, _ typed: String, _ line: CompletionLine
    ) -> [CompletionCandidate]

    /// What can stand in the place of the last of `words`, which is empty when nothing of it has
    /// been typed. Words before it that make no sense are no error: then nothing is proposed.
    ///
    /// - Parameter words: those after the program's name.
    public func completion(
        of words: [String], live: LiveCandidates = { _, _, _ in [] }
    ) -> Completion {
        var position = CompletionPosition(parser: self)
        for word in words.dropLast() { position.pass(word) }
        return position.completion(of: words.last ?? "", live: live)
    }
}

/// The place in a line up to which its words are understood.
private struct CompletionPosition {
    let parser: CommandLineParser
    var line = CompletionLine()
    var path: [String] = []
    var isPathWhole = false
    var optionsEnded = false
    /// The option whose value comes next.
    var awaited: OptionDeclaration?
    /// A command of another program, and the words for that.
    var external: (name: String, words: [String])?

    private var options: [OptionDeclaration] {
        parser.globalOptions + (line.command?.options ?? [])
    }

    init(parser: CommandLineParser) { self.parser = parser }

    // MARK: The words before

    mutating func pass(_ word: String) {
        if external != nil {
            external?.words.append(word)
        } else if let option = awaited {
            awaited = nil
            line.occurrences.append(.init(long: option.long, text: word))
        } else if word == "--", !optionsEnded {
            optionsEnded = true
            isPathWhole = line.command != nil
        } else if isOption(word) {
            word.hasPrefix("--") ? passLong(word) : passCluster(word)
        } else if !isPathWhole, line.operands.isEmpty, parser.begins(path + [word]) {
            path.append(word)
            line.command = parser.command(path)
            if let command = line.command, command.isAllExternal { external = (word, []) }
        } else {
            line.operands.append(word)
        }
    }

    private func isOption(_ word: String) -> Bool {
        var reader = ArgumentReader([])
        let numbers = line.command?.acceptsNegativeNumbers
        return !optionsEnded && reader.role(of: word, numbersAreOperands: numbers) == .option
    }

    private mutating func passLong(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = String(parts[0])
        guard let option = options.first(where: { $0.flag == flag }) else { return }
        note(option, text: parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func passCluster(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else { return }
            let text = option.value == nil || letters.isEmpty ? nil : String(letters)
            note(option, text: text)
            if option.value != nil { return }
        }
    }

    private mutating func note(_ option: OptionDeclaration, text: String?) {
        if !parser.isGlobal(option.long) { isPathWhole = true }
        if let value = option.value, text == nil, !value.isOptional {
            awaited = option
        } else {
            line.occurrences.append(.init(long: option.long, text: text))
        }
    }

    // MARK: The word itself

    func completion(of word: String, live: CommandLineParser.LiveCandidates) -> Completion {
        if let external {
            return .external(command: external.name, words: external.words + [word])
        }
        if let value = awaited?.value { return values(value.kind, word, before: "", live) }
        if !optionsEnded, word.hasPrefix("-") {
            if let equals = word.firstIndex(of: "="), word.hasPrefix("--") {
                let flag = word[..<equals]
                guard let value = options.first(where: { $0.flag == flag })?.value else {
                    return .words([])
                }
                let typed = String(word[word.index(after: equals)...])
                return values(value.kind, typed, before: "\(flag)=", live)
            }
            return .words(optionNames(word))
        }
        if !isPathWhole, line.operands.isEmpty, !parser.nextWords(after: path).isEmpty {
            return .words(commandWords(after: path) + operandWords(word, live))
        }
        guard let operand = nextOperand else { return .words([]) }
        return values(operand.kind, word, before: "", live)
    }

    /// What can be given still; of letters only such as are whole.
    private func optionNames(_ word: String) -> [CompletionCandidate] {
        let given = Set(line.occurrences.map(\.long))
        let free = options.filter { $0.isRepeatable || !given.contains($0.long) }
        let names = free.map { CompletionCandidate($0.flag, $0.summary) }
        guard word.utf8.count == 2, let letter = word.last,
            let option = free.first(where: { $0.short == letter })
        else { return names }
        return names + [CompletionCandidate(word, option.summary)]
    }

    /// The words that lead on to a command.
    private func commandWords(after path: [String]) -> [CompletionCandidate] {
        parser.nextWords(after: path).map { word in
            let below = path + [word]
            let more = parser.nextWords(after: below)
            return CompletionCandidate(
                word, parser.command(below)?.summary ?? more.joined(separator: ", "))
        }
    }

    /// The values of an operand beside which a word of a command could stand, too.
    private func operandWords(
        _ word: String, _ live: CommandLineParser.LiveCandidates
    ) -> [CompletionCandidate] {
        guard let operand = nextOperand,
            case .words(let words) = values(operand.kind, word, before: "", live)
        else { return [] }
        return words
    }

    private var nextOperand: OperandDeclaration? {
        guard let operands = line.command?.operands else { return nil }
        for (index, operand) in operands.enumerated() {
            if case .repeated = operand.arity { return operand }
            if index == line.operands.count { return operand }
        }
        return nil
    }

    /// - Parameter before: what stands in the word before the value.
    private func values(
        _ kind: ValueKind, _ typed: String, before: String,
        _ live: CommandLineParser.LiveCandidates
    ) -> Completion {
        switch kind {
        case .file: return .file
        case .folder: return .folder
        case .choice(let words): return .words(words.map { CompletionCandidate(before + $0) })
        case .names(let names):
            return .words(list(names.map { CompletionCandidate($0) }, typed, before))
        case .fieldNames: return .words(list(live(kind, typed, line), typed, before))
        case .commandName: return commandOrTopic(typed)
        default:
            let candidates = live(kind, typed, line)
            return .words(
                candidates.map { CompletionCandidate(before + $0.word, $0.description) })
        }
    }

    /// Names that follow those of a list that are there already.
    private func list(
        _ names: [CompletionCandidate], _ typed: String, _ before: String
    ) -> [CompletionCandidate] {
        let parts = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let given = parts.dropLast()
        let start = before + given.map { "\($0)," }.joined()
        return names.filter { !given.contains($0.word) }
            .map { CompletionCandidate(start + $0.word, $0.description) }
    }

    private func commandOrTopic(_ typed: String) -> Completion {
        if let first = line.operands.first, parser.command([first])?.isAllExternal == true {
            let words = ["help"] + line.operands.dropFirst() + [typed]
            return .external(command: first, words: words)
        }
        let topics = line.operands.isEmpty ? parser.topics : []
        return .words(
            commandWords(after: line.operands)
                + topics.map { CompletionCandidate($0.name, $0.summary) })
    }
}
