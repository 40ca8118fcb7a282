import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One of the three streams that a program is born with.
public enum StandardStream: Int32, Sendable, CaseIterable {
    case input = 0
    case output = 1
    case error = 2
}

/// What the standard streams lead to.
public struct TerminalFacts: Sendable {
    private let terminals: Set<StandardStream>
    private let readColumns: @Sendable () -> Int?

    /// - Parameters:
    ///   - terminals: the streams that are terminals.
    ///   - columns: asked anew each time, since windows are resized.
    public init(terminals: Set<StandardStream>, columns: @escaping @Sendable () -> Int?) {
        self.terminals = terminals
        readColumns = columns
    }

    public func isTerminal(_ stream: StandardStream) -> Bool { terminals.contains(stream) }

    /// The width of the terminal now; 80 where nobody knows. At least 20.
    public var columns: Int { max(20, readColumns() ?? 80) }

    /// Whether a person can be asked: both what is typed and what is said are on a terminal.
    public var isInteractive: Bool { isTerminal(.input) && isTerminal(.error) }

    /// The same terminal for a command whose stream leads elsewhere.
    public func without(_ stream: StandardStream) -> TerminalFacts {
        TerminalFacts(terminals: terminals.subtracting([stream]), columns: readColumns)
    }

    static func ofProcess(_ environment: Environment) -> TerminalFacts {
        let fixed = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return TerminalFacts(
            terminals: Set(StandardStream.allCases.filter { isatty($0.rawValue) == 1 })
        ) {
            if let fixed { return fixed }
            for stream in [StandardStream.output, .error, .input] {
                let columns = csystem_terminal_columns(stream.rawValue)
                if columns > 0 { return Int(columns) }
            }
            return nil
        }
    }
}
