#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why input could not be read.
public enum InputError: Error, Sendable, Equatable, CustomStringConvertible {
    case failed(input: String, SystemError)
    /// More came than `limit` bytes.
    case tooLong(input: String, limit: Int)
    /// The bytes are not UTF-8 where text was wanted.
    case notText(input: String)
    /// The task was cancelled while it waited.
    case cancelled

    public var description: String {
        switch self {
        case .failed(let input, let error): "cannot read \(input): \(error)"
        case .tooLong(let input, let limit): "\(input) is longer than \(limit) bytes"
        case .notText(let input): "\(input) is not valid UTF-8"
        case .cancelled: "reading was interrupted"
        }
    }
}

/// A stream of bytes that is read only when a command asks for it.
public struct ByteInput: Sendable {
    /// What the input is called in an error: "standard input".
    public let name: String
    private let next: @Sendable (_ atMost: Int) async throws(InputError) -> [UInt8]

    /// - Parameter next: gives at most the asked number of bytes, none at the end.
    public init(
        name: String, next: @escaping @Sendable (_ atMost: Int) async throws(InputError) -> [UInt8]
    ) {
        self.name = name
        self.next = next
    }

    /// What can be read from an open descriptor, which stays the caller's. Waiting ends when the
    /// task is cancelled.
    public init(descriptor: Int32, name: String) {
        self.init(name: name) { atMost async throws(InputError) in
            guard await waitUntilReadable(descriptor) else { throw .cancelled }
            do throws(SystemError) {
                return try readBytes(from: descriptor, atMost: atMost)
            } catch {
                throw .failed(input: name, error)
            }
        }
    }

    /// An input in memory.
    public init(bytes: [UInt8], name: String = "memory") {
        let queue = BytesInMemory(bytes)
        self.init(name: name) { atMost async throws(InputError) in queue.take(atMost) }
    }

    /// The next bytes, at most `atMost` of them; none at the end.
    public func read(atMost: Int) async throws(InputError) -> [UInt8] { try await next(atMost) }

    /// Everything up to the end.
    /// - Throws: ``InputError/tooLong(input:limit:)`` beyond `limit` bytes.
    public func readAll(limit: Int) async throws(InputError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try await next(1 << 16)
            if bytes.isEmpty { return all }
            guard bytes.count <= limit - all.count else {
                throw .tooLong(input: name, limit: limit)
            }
            all += bytes
        }
    }

    /// Everything up to the end, as text.
    public func readText(limit: Int) async throws(InputError) -> String {
        let bytes = try await readAll(limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .notText(input: name)
        }
        return text
    }
}
