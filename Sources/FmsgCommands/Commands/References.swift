import CommandLineTool
import FmsgCore

/// One word of a list of messages: a reference, or `-` for those on standard input.
enum ReferenceWord: Sendable, Equatable {
    case reference(MessageReference)
    case standardInput
}

extension ValueType where Element == ReferenceWord {
    /// An id, a SHA-256, `-N`, or `-`.
    static var messageReferences: Self {
        ValueType("REF", kind: .messageReference) { text throws(InvalidValue) in
            if text == "-" { return .standardInput }
            do throws(MessageReferenceError) {
                return .reference(try MessageReference(text))
            } catch {
                throw InvalidValue(error.reason)
            }
        }
    }
}

/// The operand of commands that take several messages.
enum References {
    static let operand = operand(minimum: 1)
    /// The same, where there is another way to name messages.
    static let optional = operand(minimum: 0)

    private static func operand(minimum: Int) -> Operand<[ReferenceWord]> {
        .repeated(
            "REF", .messageReferences, minimum: minimum,
            "Messages: ids, SHA-256, -N for the N-th newest, or - for a list on standard input")
    }

    /// The most that is read of a list, in bytes.
    private static let limit = 64 << 20

    /// The messages that the line names, each `-N` replaced by the id that it stands for.
    static func resolved(
        _ invocation: Invocation, with client: FmsgClient, in context: CommandContext
    ) async throws -> [MessageReference] {
        var references: [MessageReference] = []
        for word in try invocation[operand] {
            switch word {
            case .reference(let reference): references.append(reference)
            case .standardInput:
                let text = try await context.runtime.standardInput.readText(limit: limit)
                references += try list(text, invocation)
            }
        }
        return try await context.resolve(references, with: client)
    }

    /// One reference a line; what follows a tab or a space is left out, so that the lines of a
    /// list can be piped as they are.
    private static func list(
        _ text: String, _ invocation: Invocation
    ) throws(UsageError) -> [MessageReference] {
        var references: [MessageReference] = []
        // By scalars: a carriage return and a line feed are one character.
        let lines = text.unicodeScalars.split(
            separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let word = line.split(whereSeparator: { $0.properties.isWhitespace }).first
            else { continue }
            do {
                references.append(try MessageReference(String(word)))
            } catch {
                let shown = DisplayText.cut(DisplayText.escape(String(word)), width: 60)
                throw invocation.usageError(
                    "standard input, line \(index + 1): \"\(shown)\": \(error.reason)")
            }
        }
        return references
    }
}
