/// Why a host cannot do what its operator asked for.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The data folder cannot be made, read or written.
        case dataFolder
        /// Another host runs on the data folder.
        case inUse
        /// The address or port cannot be listened on.
        case listen
        /// A user, key or address that cannot be.
        case user
        /// No such key.
        case notFound
    }

    public let kind: Kind
    /// One line for a person.
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
