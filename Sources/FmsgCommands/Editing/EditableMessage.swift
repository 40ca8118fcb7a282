import CommandLineTool
import FmsgCore

/// A message as a person edits it: headings, an empty line, and the text.
struct EditableMessage: Sendable, Equatable {
    var to: [String]
    /// Nil where there can be none: in a reply.
    var topic: String?
    var type: String
    var flags: Set<Flag>
    var text: String

    /// What can be said of a message; the raw value is its word.
    enum Flag: String, Sendable, CaseIterable {
        case important
        case noReply = "no-reply"
        case terminal
    }

    private enum Heading: String, CaseIterable {
        case to = "To"
        case topic = "Topic"
        case type = "Type"
        case flags = "Flags"
    }

    /// What stands below the text. The last such line counts, as a text may hold one.
    private static let end = "---- whatever stands below this line is left out ----"

    init(_ message: NewMessage) {
        to = message.to
        topic = message.parent == nil ? message.topic : nil
        type = message.type
        text = message.text
        flags = []
        if message.isImportant { flags.insert(.important) }
        if message.isNoReply { flags.insert(.noReply) }
        if message.isTerminal { flags.insert(.terminal) }
    }

    /// The message with what was edited in it.
    func applied(to message: NewMessage) -> NewMessage {
        var message = message
        message.to = uniqueAddresses(to)
        message.topic = topic ?? ""
        message.type = type
        message.text = text
        message.isImportant = flags.contains(.important)
        message.isNoReply = flags.contains(.noReply)
        message.isTerminal = flags.contains(.terminal)
        return message
    }

    /// What the editor is given.
    var document: String {
        let words = Flag.allCases.filter(flags.contains).map(\.rawValue)
        var lines = ["\(Heading.to.rawValue): \(to.joined(separator: ", "))"]
        if let topic { lines.append("\(Heading.topic.rawValue): \(DisplayText.field(topic))") }
        if type != MediaType.plainText {
            lines.append("\(Heading.type.rawValue): \(DisplayText.field(type))")
        }
        lines.append("\(Heading.flags.rawValue): \(words.joined(separator: ", "))")
        return """
            \(lines.joined(separator: "\n"))

            \(text)
            \(Self.end)
            Flags are: \(Flag.allCases.map(\.rawValue).joined(separator: ", ")).
            An empty text sends nothing.

            """
    }

    /// Reads what the editor left.
    /// - Parameter original: what it was given: what is left out of the headings is not changed.
    /// - Throws: ``EditingError`` that names the line.
    init(_ document: String, original: EditableMessage) throws(EditingError) {
        self = original
        // By scalars: a carriage return and a line feed are one character.
        var lines = document.unicodeScalars.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { String($0) }
        if let end = lines.lastIndex(of: Self.end) {
            lines.removeSubrange(end...)
        } else if lines.last == "" {
            lines.removeLast()
        }
        var number = 0
        while number < lines.count, let heading = Self.heading(lines[number]) {
            try read(heading.name, heading.value, number: number + 1)
            number += 1
        }
        // An empty line parts them; without it the text begins with whatever is no heading.
        let isParted = number < lines.count && lines[number].allSatisfy(\.isWhitespace)
        let rest = lines.dropFirst(isParted ? number + 1 : number)
        text = rest.joined(separator: "\n")
        guard text != original.text else { return }
        // What an editor or its user leaves above and below is no part of it.
        let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
        let last = rest.lastIndex { !isBlank($0) }
        text = last.map { rest[...$0].drop(while: isBlank).joined(separator: "\n") } ?? ""
    }

    /// A word, a colon, and what follows; nil for a line that is no heading.
    private static func heading(_ line: String) -> (name: String, value: String)? {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmed
        guard parts.count == 2, !name.isEmpty, name.allSatisfy(\.isLetter) else { return nil }
        return (name, parts[1].trimmed)
    }

    private mutating func read(
        _ name: String, _ value: String, number: Int
    ) throws(EditingError) {
        let known = Heading.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        guard let heading = known else {
            let words = Heading.allCases.map(\.rawValue).joined(separator: ", ")
            throw EditingError(
                line: number,
                reason: "\(DisplayText.escape(name)) is no heading; there are: \(words); an empty "
                    + "line parts them from the text")
        }
        switch heading {
        case .to:
            to = []
            for word in Self.list(value) { to.append(try Self.address(word, number)) }
        case .topic:
            guard topic != nil else {
                guard value.isEmpty else {
                    throw EditingError(line: number, reason: "a reply has no topic of its own")
                }
                return
            }
            // An unchanged one may hold what one line cannot.
            if value != topic.map({ DisplayText.field($0).trimmed }) { topic = value }
        case .type:
            if value != DisplayText.field(type).trimmed {
                type = value.isEmpty ? MediaType.plainText : value
            }
        case .flags:
            flags = []
            for word in Self.list(value) { flags.insert(try Self.flag(word, number)) }
        }
    }

    private static func list(_ value: String) -> [String] {
        value.split { $0 == "," || $0.isWhitespace }.map { String($0) }
    }

    private static func address(_ text: String, _ line: Int) throws(EditingError) -> String {
        do {
            return try FmsgAddress(text).text
        } catch {
            throw EditingError(line: line, reason: "\(DisplayText.escape(text)): \(error.reason)")
        }
    }

    private static func flag(_ text: String, _ line: Int) throws(EditingError) -> Flag {
        guard let flag = Flag(rawValue: text.lowercased()) else {
            let words = Flag.allCases.map(\.rawValue).joined(separator: ", ")
            throw EditingError(
                line: line, reason: "\(DisplayText.escape(text)) is no flag; there are: \(words)")
        }
        return flag
    }
}

/// What is wrong with a text that was edited.
struct EditingError: Error, Sendable, Equatable {
    /// Counted from 1.
    let line: Int
    let reason: String
}

extension StringProtocol {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
