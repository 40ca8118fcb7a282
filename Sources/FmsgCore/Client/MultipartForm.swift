import Synchronization

/// A `multipart/form-data` body of one field `file` (RFC 7578).
struct MultipartForm: Sendable {
    let contentType: String
    private let head: [UInt8]
    private let tail: [UInt8]

    /// - Parameter filename: without what would end it: see ``NewAttachment``.
    init(filename: String, boundary: String) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        head = Array(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; "
                + "filename=\"\(filename)\"\r\nContent-Type: application/octet-stream\r\n\r\n").utf8
        )
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// Bytes of the whole form around a file of `length` bytes.
    func length(around length: Int64) -> Int64 { length + Int64(head.count + tail.count) }

    /// The form around the pieces that `file` gives.
    func wrap(
        _ file: @escaping @Sendable (Int) throws -> [UInt8]
    ) -> @Sendable (Int) throws -> [UInt8] {
        let state = Mutex(Part.head(head[...]))
        return { atMost in
            try state.withLock { part in try self.next(&part, atMost, file) }
        }
    }

    private enum Part {
        case head(ArraySlice<UInt8>)
        case file
        case tail(ArraySlice<UInt8>)
    }

    private func next(
        _ part: inout Part, _ atMost: Int, _ file: (Int) throws -> [UInt8]
    ) throws -> [UInt8] {
        switch part {
        case .head(let rest):
            let after = rest.dropFirst(atMost)
            part = after.isEmpty ? .file : .head(after)
            return Array(rest.prefix(atMost))
        case .file:
            let piece = try file(atMost)
            if !piece.isEmpty { return piece }
            part = .tail(tail[...])
            return try next(&part, atMost, file)
        case .tail(let rest):
            part = .tail(rest.dropFirst(atMost))
            return Array(rest.prefix(atMost))
        }
    }
}
