extension CommandLineParser {
    /// Reads one argument that is an option or a cluster of them, and the argument after it where
    /// that is the value.
    func readOption(
        _ argument: String, _ reader: inout ArgumentReader, of command: CommandDeclaration?,
        _ path: [String]
    ) throws(UsageError) -> [Invocation.Occurrence] {
        let options = globalOptions + (command?.options ?? [])
        return if argument.utf8.starts(with: "--".utf8) {
            [try readLong(argument, &reader, options, path)]
        } else {
            try readCluster(argument, &reader, options, path)
        }
    }

    private func readLong(
        _ argument: String, _ reader: inout ArgumentReader, _ options: [OptionDeclaration],
        _ path: [String]
    ) throws(UsageError) -> Invocation.Occurrence {
        let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        let flag = String(argument[..<(equals ?? argument.endIndex)])
        guard let option = options.first(where: { $0.flag == flag }) else {
            throw unknownOption(flag, options, path)
        }
        let attached = equals.map { String(argument[argument.utf8.index(after: $0)...]) }
        guard option.value != nil else {
            guard attached == nil else {
                throw UsageError("\(flag) takes no value", command: path)
            }
            return Invocation.Occurrence(long: option.long, text: nil)
        }
        return try readValue(of: option, as: flag, attached, &reader, path)
    }

    private func readCluster(
        _ argument: String, _ reader: inout ArgumentReader, _ options: [OptionDeclaration],
        _ path: [String]
    ) throws(UsageError) -> [Invocation.Occurrence] {
        var occurrences: [Invocation.Occurrence] = []
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknownLetter(letter, argument, options, path)
            }
            guard option.value != nil else {
                occurrences.append(Invocation.Occurrence(long: option.long, text: nil))
                continue
            }
            let attached = letters.isEmpty ? nil : String(letters)
            letters = ""
            occurrences.append(
                try readValue(of: option, as: "-\(letter)", attached, &reader, path))
        }
        return occurrences
    }

    private func readValue(
        of option: OptionDeclaration, as flag: String, _ attached: String?,
        _ reader: inout ArgumentReader, _ path: [String]
    ) throws(UsageError) -> Invocation.Occurrence {
        guard let value = option.value else {
            return Invocation.Occurrence(long: option.long, text: nil)
        }
        if attached == nil, value.isOptional {
            return Invocation.Occurrence(long: option.long, text: nil)
        }
        guard let given = attached ?? reader.next() else {
            throw UsageError("\(flag) needs a value: \(flag) \(value.placeholder)", command: path)
        }
        let text = try surroundings.meaning(of: given, value.kind)
        do {
            try value.check(text)
        } catch {
            throw UsageError("\(flag) \(quoted(text)): \(error.reason)", command: path)
        }
        return Invocation.Occurrence(long: option.long, text: text)
    }

    private func unknownOption(
        _ flag: String, _ options: [OptionDeclaration], _ path: [String]
    ) -> UsageError {
        let near = NearestNames.of(String(flag.dropFirst(2)), among: options.map(\.long))
        return UsageError(
            "unknown option: \(shown(flag))", hint: didYouMean(near.map { "--\($0)" }),
            command: path)
    }

    private func unknownLetter(
        _ letter: Character, _ argument: String, _ options: [OptionDeclaration], _ path: [String]
    ) -> UsageError {
        let word = String(argument.dropFirst())
        let isLong = options.contains { $0.long == word }
        return UsageError(
            "unknown option: \(shown("-\(letter)"))",
            hint: didYouMean(isLong ? ["--\(word)"] : []), command: path)
    }

    /// A hint that names what was meant.
    func didYouMean(_ names: [String]) -> String? {
        names.isEmpty ? nil : "did you mean \(names.joined(separator: ", ", last: " or "))?"
    }

    /// What the caller typed, harmless and not too long.
    func shown(_ text: String) -> String { DisplayText.cut(DisplayText.escape(text), width: 60) }

    func quoted(_ text: String) -> String { "\"\(shown(text))\"" }
}
