import CSystem

/// The environment variables, as one value.
public struct Environment: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public private(set) var variables: [String: String]

    public init(_ variables: [String: String] = [:]) { self.variables = variables }

    public init(dictionaryLiteral elements: (String, String)...) {
        variables = Dictionary(elements) { _, last in last }
    }

    /// The variable's value. An empty one counts as unset, as is the custom for nearly all of
    /// them; ``variables`` tells the two apart.
    public subscript(name: String) -> String? {
        get { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { variables[name] = newValue }
    }

    /// Whether a switch such as `FMSG_NO_TOKEN_CACHE` is on: set, not empty, and none of `0`,
    /// `false` and `no`.
    public func isOn(_ name: String) -> Bool {
        guard let value = self[name] else { return false }
        return !["0", "false", "no"].contains(value.lowercased())
    }

    /// The first of several names that is set, such as `https_proxy` and `HTTPS_PROXY`.
    public func first(of names: String...) -> String? {
        names.lazy.compactMap { self[$0] }.first
    }

    /// The environment that this process was given.
    static func ofProcess() -> Environment {
        var variables: [String: String] = [:]
        var next = csystem_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let value = text[text.utf8.index(after: equals)...]
                variables[String(text[..<equals])] = String(value)
            }
            next = next?.successor()
        }
        return Environment(variables)
    }

    /// The entries for a new process, in a stable order.
    var entries: [String] {
        variables.map { "\($0.key)=\($0.value)" }.sorted()
    }
}
