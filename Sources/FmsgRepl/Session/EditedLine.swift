// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool

/// A line that goes through the editor: its first line is the command, those below it are the text
/// that it sends.
struct EditedLine: Sendable {
    private static let limit = 64 << 20

    private let runtime: Runtime
    /// Whether a message is open, which an empty line answers.
    private let isOpen: Bool

    init(_ runtime: Runtime, isOpen: Bool) {
        self.runtime = runtime
        self.isOpen = isOpen
    }

    /// What came of it. The file stays until it is removed, so that nothing gets lost.
    struct Result: Sendable {
        let path: String
        let text: String
        fileprivate let files: any FileSystem

        /// The statements that it stands for.
        func statements(home: String?) throws(LineError) -> [Statement] {
            try EditedLine.statements(text, home: home)
        }

        func remove() { try? files.remove(path) }
    }

    /// Opens the editor.
    /// - Returns: nil when there is nothing to be run; it was said why.
    func edit(_ line: String) async -> Result? {
        let path = "\(runtime.environment["TMPDIR"] ?? "/tmp")/fmsg-\(name).txt"
        let first = line.isEmpty && isOpen ? "reply" : line
        do {
            try runtime.files.writeAtomically(path, Array("\(first)\n".utf8), mode: 0o600)
            let editor = runtime.environment.first(of: "VISUAL", "EDITOR") ?? "vi"
            let status = try await runtime.runInForeground(
                "/bin/sh", ["-c", "\(editor) \"$1\"", "sh", path])
            let bytes = try runtime.files.read(path, limit: Self.limit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return fail("it is not UTF-8; the text is in \(path)")
            }
            guard status == .done else {
                return fail("the editor ended with \(status.rawValue); the text is in \(path)")
            }
            guard text.contains(where: { !$0.isWhitespace }) else {
                try runtime.files.remove(path)
                return nil
            }
            return Result(path: path, text: text, files: runtime.files)
        } catch {
            return fail("\(error)")
        }
    }

    /// Lines after a command that is whole are its text; else all are lines as if typed.
    static func statements(_ text: String, home: String?) throws(LineError) -> [Statement] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        guard let first = lines.first else { return [] }
        var reader = LineReader(home: home)
        var statements = try reader.take(first)
        let rest = lines.dropFirst()
        if reader.wait == .command, statements.count == 1, !rest.isEmpty {
            // The empty line that parts command and text is none of the text.
            let text = rest.drop { $0.allSatisfy(\.isWhitespace) }
            statements[0].give(text: text.joined(separator: "\n"))
            return statements
        }
        for line in rest { statements += try reader.take(line) }
        // A text ends with the file.
        if case .text(let end) = reader.wait { statements += try reader.take(end) }
        try reader.finish()
        return statements
    }

    private var name: String {
        runtime.randomBytes(8).map { String($0, radix: 36) }.joined()
    }

    private func fail(_ text: String) -> Result? {
        try? runtime.standardError.writeLine("fmsg: \(DisplayText.escape(text))")
        return nil
    }
}
