/// What an operand is: the part without its type, from which everything that is shown comes.
public struct OperandDeclaration: Sendable {
    /// How many words it takes.
    public enum Arity: Sendable, Equatable {
        case required
        case optional
        case repeated(min: Int)
    }

    /// What stands for it in the help, in capitals.
    public let name: String
    public let kind: ValueKind
    public let summary: String
    public let arity: Arity
    let check: @Sendable (String) throws(InvalidValue) -> Void

    /// The fewest words it takes.
    var minimum: Int {
        switch arity {
        case .required: 1
        case .optional: 0
        case .repeated(let min): min
        }
    }
}

/// An ``Operand`` of any type.
public protocol DeclaredOperand: Sendable {
    var declaration: OperandDeclaration { get }
}

/// An operand that a command declares once, as a static constant, and reads by the same constant.
///
/// Words go to the operands in their order; at most one operand of a command is repeated, and
/// it leaves enough words for those after it.
public struct Operand<Value: Sendable>: DeclaredOperand {
    public let declaration: OperandDeclaration
    let read: @Sendable (_ words: [String]) throws(InvalidValue) -> Value
}

extension Operand {
    /// An operand that must be there.
    public static func required(
        _ name: String, _ type: ValueType<Value>, _ summary: String
    ) -> Self {
        Operand(
            declaration: declaration(name, type, summary, .required),
            read: { words throws(InvalidValue) in
                guard let word = words.first else { throw InvalidValue("missing") }
                return try type.parse(word)
            })
    }

    /// An operand that may be left out; nil then.
    public static func optional<Element>(
        _ name: String, _ type: ValueType<Element>, _ summary: String
    ) -> Self where Value == Element? {
        Operand(
            declaration: declaration(name, type, summary, .optional),
            read: { words throws(InvalidValue) in
                guard let word = words.first else { return nil }
                return try type.parse(word)
            })
    }

    /// An operand of `minimum` words or more.
    public static func repeated<Element>(
        _ name: String, _ type: ValueType<Element>, minimum: Int = 0, _ summary: String
    ) -> Self where Value == [Element] {
        Operand(
            declaration: declaration(name, type, summary, .repeated(min: minimum)),
            read: { words throws(InvalidValue) in
                var values: [Element] = []
                for word in words { values.append(try type.parse(word)) }
                return values
            })
    }

    private static func declaration<Element>(
        _ name: String, _ type: ValueType<Element>, _ summary: String,
        _ arity: OperandDeclaration.Arity
    ) -> OperandDeclaration {
        OperandDeclaration(
            name: name, kind: type.kind, summary: summary, arity: arity,
            check: { text throws(InvalidValue) in _ = try type.parse(text) })
    }
}
