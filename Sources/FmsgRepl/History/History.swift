// SPDX-License-Identifier: GPL-3.0-or-later

/// The lines that were typed, oldest first, each once: the last time counts.
struct History: Sendable, Equatable {
    static let limit = 2000
    /// A longer line is a text, and no command to be had again.
    private static let longestLine = 4096
    /// What begins a secret: an API key, a token, a private key.
    private static let secrets = ["fmsgk_", "eyJ", "-----BEGIN"]
    /// The variables that hold one.
    private static let secretWords = ["login", "FMSG_API_KEY", "FMSG_TOKEN"]

    private(set) var lines: [String] = []

    init() {}

    /// The lines of a file; what cannot be a line that was typed is left out.
    init(bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let line = String(validating: line, as: UTF8.self) else { continue }
            add(line)
        }
    }

    /// Adds a line, unless it is not to be kept.
    /// - Returns: whether it was added.
    @discardableResult
    mutating func add(_ line: String) -> Bool {
        guard Self.isKept(line) else { return false }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
        return true
    }

    /// The lines with those of another added.
    mutating func add(_ other: History) {
        for line in other.lines { add(line) }
    }

    var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// Whether a line may be kept: it is not empty, does not begin with a blank, and holds neither
    /// a secret nor a log-in.
    static func isKept(_ line: String) -> Bool {
        guard let first = line.unicodeScalars.first, first != " ", first != "\t",
            line.utf8.count <= longestLine,
            line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
        else { return false }
        guard !secrets.contains(where: line.contains) else { return false }
        let words = line.split { " \t;|=!\"'".contains($0) }
        return !words.contains { secretWords.contains(String($0)) }
    }
}
