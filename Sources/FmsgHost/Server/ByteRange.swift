import FmsgCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one range that a `Range` header asks for (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
    case from(UInt64, through: UInt64?)
    case last(UInt64)

    /// Nil for what is not one range of bytes: such a header is ignored (section 14.2).
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
            return nil
        }
        switch (UInt64(ends[0]), UInt64(ends[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The bytes of something of that size; nil when it has none of them.
    func bytes(of size: UInt64) -> Range<UInt64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first..<min(last ?? .max, size - 1) + 1
        case .last(let count): return count > 0 && size > 0 ? size - min(count, size)..<size : nil
        }
    }
}

extension HTTPResponse {
    /// The part of a download that a `Range` header asks for, or the whole of it.
    func part(_ header: String?) -> HTTPResponse {
        guard let range = header.flatMap({ ByteRange($0) }), let size else { return self }
        var part = self
        guard let bytes = range.bytes(of: size) else {
            if case .file(let descriptor, _, _) = body { close(descriptor) }
            part.status = 416
            part.body = .bytes([])
            part.headers.append(Header("Content-Range", "bytes */\(size)"))
            return part
        }
        part.status = 206
        part.headers.append(
            Header("Content-Range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)"))
        switch body {
        case .bytes(let whole):
            part.body = .bytes(Array(whole[Int(bytes.lowerBound)..<Int(bytes.upperBound)]))
        case .file(let descriptor, let offset, _):
            part.body = .file(
                descriptor: descriptor, offset: offset + bytes.lowerBound,
                size: UInt64(bytes.count))
        case .upgrade: break
        }
        return part
    }

    private var size: UInt64? {
        switch body {
        case .bytes(let bytes): UInt64(bytes.count)
        case .file(_, _, let size): size
        case .upgrade: nil
        }
    }
}
