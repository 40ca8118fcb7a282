/// An address `@user@domain` in the spelling it was given (core specification, addresses; web
/// API, section 1).
///
/// Two addresses are equal when their Unicode default case foldings are byte-equal, so equality
/// and hashing never depend on a locale or on Unicode normalization.
public struct FmsgAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as given, to keep and to show.
    public let text: String
    private let folded: [UInt8]

    /// The longest address, in bytes of UTF-8.
    public static let maximumBytes = 255

    /// - Throws: ``FmsgAddressError`` naming the rule that `text` breaks.
    public init(_ text: String) throws(FmsgAddressError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw FmsgAddressError(text, .tooLong)
        }
        guard text.unicodeScalars.first == "@" else { throw FmsgAddressError(text, .noLeadingAt) }
        let parts = text.unicodeScalars.dropFirst()
            .split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw FmsgAddressError(text, parts.count < 2 ? .noDomain : .tooManyAts)
        }
        try Self.checkUser(parts[0], of: text)
        try Self.checkDomain(parts[1], of: text)
        self.text = text
        self.folded = CaseFolding.fold(text)
    }

    /// The part between the two `@`.
    public var user: String { String(text.dropFirst().prefix { $0 != "@" }) }

    /// The part after the second `@`.
    public var domain: String { String(text.dropFirst().drop { $0 != "@" }.dropFirst()) }

    public var description: String { text }

    public static func == (left: FmsgAddress, right: FmsgAddress) -> Bool {
        left.folded == right.folded
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private static func checkUser(
        _ user: Substring.UnicodeScalarView, of text: String
    ) throws(FmsgAddressError) {
        guard let first = user.first, let last = user.last else {
            throw FmsgAddressError(text, .emptyUser)
        }
        var previousIsMark = false
        for scalar in user {
            let isMark = scalar == "-" || scalar == "_" || scalar == "."
            guard isMark || scalar.isLetterOrNumber else {
                throw FmsgAddressError(text, .userCharacter(scalar))
            }
            if isMark && previousIsMark { throw FmsgAddressError(text, .adjacentMarks) }
            previousIsMark = isMark
        }
        guard first.isLetterOrNumber, last.isLetterOrNumber else {
            throw FmsgAddressError(text, .outerMark)
        }
    }

    private static func checkDomain(
        _ domain: Substring.UnicodeScalarView, of text: String
    ) throws(FmsgAddressError) {
        guard !domain.isEmpty else { throw FmsgAddressError(text, .noDomain) }
        for label in domain.split(separator: ".", omittingEmptySubsequences: false) {
            guard let first = label.first, let last = label.last else {
                throw FmsgAddressError(text, .emptyLabel)
            }
            for scalar in label where !(scalar.isLetterOrNumber || scalar == "-") {
                throw FmsgAddressError(text, .domainCharacter(scalar))
            }
            guard first != "-", last != "-" else { throw FmsgAddressError(text, .outerHyphen) }
        }
    }
}

/// A text that is not an address, and the rule it breaks.
public struct FmsgAddressError: Error, Sendable, Equatable {
    public enum Rule: Sendable, Equatable {
        case noLeadingAt
        case noDomain
        case tooManyAts
        case emptyUser
        case userCharacter(Unicode.Scalar)
        case adjacentMarks
        case outerMark
        case emptyLabel
        case domainCharacter(Unicode.Scalar)
        case outerHyphen
        case tooLong
    }

    public let text: String
    public let rule: Rule

    init(_ text: String, _ rule: Rule) {
        self.text = text
        self.rule = rule
    }

    /// The broken rule as a clause that can follow the address and a colon.
    public var reason: String {
        switch rule {
        case .noLeadingAt: "it must begin with @, as @user@domain does"
        case .noDomain: "the domain is missing, as in @user@domain"
        case .tooManyAts: "it must hold exactly two @"
        case .emptyUser: "the user part is empty"
        case .userCharacter(let scalar):
            "the user part may hold letters, digits and - _ . but not \(Self.name(scalar))"
        case .adjacentMarks: "- _ . must not stand next to each other in the user part"
        case .outerMark: "- _ . must not stand first or last in the user part"
        case .emptyLabel: "the domain has an empty part between its dots"
        case .domainCharacter(let scalar):
            "the domain may hold letters, digits, hyphens and dots but not \(Self.name(scalar))"
        case .outerHyphen: "a hyphen must not stand first or last in a part of the domain"
        case .tooLong: "it must be under 256 bytes"
        }
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return scalar.value > 0x20 && scalar.value < 0x7F ? "\"\(scalar)\"" : "U+\(padded)"
    }
}

/// Whether two addresses are one by Unicode default case folding.
public func sameAddress(_ left: String, _ right: String) -> Bool {
    CaseFolding.fold(left) == CaseFolding.fold(right)
}

/// The addresses without later ones that fold to an earlier one, spellings kept, order kept.
public func uniqueAddresses(_ addresses: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return addresses.filter { seen.insert(CaseFolding.fold($0)).inserted }
}

/// A key under which equal addresses meet: for storage, never for display.
public func addressKey(_ address: String) -> String {
    String(decoding: CaseFolding.fold(address), as: UTF8.self)
}

extension Unicode.Scalar {
    /// `\p{L}` or `\p{N}`.
    var isLetterOrNumber: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
