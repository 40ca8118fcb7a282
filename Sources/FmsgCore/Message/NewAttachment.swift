import Synchronization

/// A file about to be attached.
public struct NewAttachment: Sendable {
    /// The name that it gets, without a folder.
    public let filename: String
    /// Bytes.
    public let size: Int64
    /// Opens it from its beginning, again for a repeated request, and gives what reads it piece by
    /// piece: at most the asked number of bytes, an empty array at its end. What reads throws when
    /// the file is not what it was: nothing is sent then.
    public let open: @Sendable () -> @Sendable (_ atMost: Int) throws -> [UInt8]

    /// - Throws: ``FmsgError/invalid(_:)`` for a name that a form cannot carry unchanged (RFC 7578,
    ///   section 4.2) or that leads into a folder.
    public init(
        _ filename: String, size: Int64,
        open: @escaping @Sendable () -> @Sendable (_ atMost: Int) throws -> [UInt8]
    ) throws(FmsgError) {
        let isCarried = !filename.unicodeScalars.contains { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || "\"\\/".unicodeScalars.contains(scalar)
        }
        guard isCarried, !filename.isEmpty, filename != ".", filename != ".." else {
            throw .invalid(
                "\(SafeText.line(filename, limit: 100)) cannot be attached under this name: it may "
                    + "hold no quote, backslash, slash or control character")
        }
        self.filename = filename
        self.size = size
        self.open = open
    }

    /// One that is in memory.
    public init(_ filename: String, bytes: [UInt8]) throws(FmsgError) {
        try self.init(filename, size: Int64(bytes.count)) {
            let rest = Mutex(bytes[...])
            return { atMost in
                rest.withLock { rest in
                    let piece = Array(rest.prefix(atMost))
                    rest = rest.dropFirst(piece.count)
                    return piece
                }
            }
        }
    }
}
