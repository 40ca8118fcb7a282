/// A block of network addresses, as in `10.0.0.0/8` (RFC 4632; RFC 4291, section 2.3).
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
    /// The block in the spelling it was given, a single address with its length added.
    public let text: String
    private let address: IPAddress
    private let length: Int

    /// - Parameter text: an address, a slash and the number of leading bits that count; without
    ///   the slash that one address. Bits beyond the length may be set and do not count.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        self.address = address
        let longest = address.bytes.count * 8
        guard parts.count == 2 else {
            length = longest
            self.text = "\(text)/\(longest)"
            return
        }
        guard let length = decimal(parts[1], limit: longest) else { return nil }
        self.length = length
        self.text = text
    }

    public var description: String { text }

    /// Whether an address lies in the block.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(other.bytes, address.bytes).enumerated().allSatisfy { index, pair in
            let bits = min(8, max(0, length - index * 8))
            return (pair.0 ^ pair.1) >> UInt8(8 - bits) == 0 || bits == 0
        }
    }
}

/// An IPv4 or IPv6 address by its bytes: 4 or 16 of them.
public struct IPAddress: Sendable, Hashable {
    public let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16 of them. An IPv4 address inside an IPv6 one (`::ffff:1.2.3.4`)
    ///   is that IPv4 address.
    public init?(bytes: [UInt8]) {
        let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16 where bytes.starts(with: mappedPrefix): self.bytes = Array(bytes[12...])
        case 16: self.bytes = bytes
        default: return nil
        }
    }

    /// - Parameter text: `192.0.2.1` or `2001:db8::1`, without a zone.
    public init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    private static func version4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { decimal($0, limit: 255).map { UInt8($0) } }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        guard let gap = text.firstRange(of: "::") else {
            return groups(text[...]).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInVersion4: false),
            let tail = groups(text[gap.upperBound...]), head.count + tail.count < 16
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The bytes of groups parted by colons, of which the last may be an IPv4 address.
    private static func groups(_ text: Substring, mayEndInVersion4: Bool = true) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInVersion4, index == parts.count - 1, part.contains(".") {
                guard let last = version4(part) else { return nil }
                bytes += last
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isASCII),
                part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes.count <= 16 ? bytes : nil
    }
}

/// A number without sign and needless zeros, up to `limit`.
private func decimal(_ text: some StringProtocol, limit: Int) -> Int? {
    let isDecimal =
        (1...3).contains(text.utf8.count)
        && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDecimal, text == "0" || !text.hasPrefix("0"), let number = Int(text), number <= limit
    else { return nil }
    return number
}
