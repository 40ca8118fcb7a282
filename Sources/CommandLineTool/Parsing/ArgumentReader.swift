/// Walks over the arguments of a line.
struct ArgumentReader {
    /// What an argument is by its form alone.
    enum Role {
        case option
        case endOfOptions
        case word
    }

    private let arguments: [String]
    private var index = 0
    private var optionsEnded = false

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The next argument, whatever it is; nil at the end.
    mutating func next() -> String? {
        guard index < arguments.count else { return nil }
        index += 1
        return arguments[index - 1]
    }

    /// What was not read yet.
    var rest: ArraySlice<String> { arguments[index...] }

    /// Every argument but the one read last.
    var allButLast: [String] { Array(arguments[..<max(index - 1, 0)] + arguments[index...]) }

    /// The form of the argument just read.
    mutating func role(of argument: String, numbersAreOperands: Bool?) -> Role {
        let bytes = argument.utf8
        guard !optionsEnded, bytes.count > 1, bytes.first == UInt8(ascii: "-") else {
            return .word
        }
        if argument == "--" {
            optionsEnded = true
            return .endOfOptions
        }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isNumber = bytes.dropFirst().allSatisfy(digits.contains)
        return isNumber && numbersAreOperands == true ? .word : .option
    }
}
