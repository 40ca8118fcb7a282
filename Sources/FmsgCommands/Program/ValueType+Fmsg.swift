import CommandLineTool
import FmsgCore

extension ValueType where Element == String {
    /// The name of an attachment: it can be one segment of a path.
    static var attachmentName: Self {
        ValueType("NAME", kind: .attachmentName) { text throws(InvalidValue) in
            guard !["", ".", ".."].contains(text), !text.contains("/") else {
                throw InvalidValue("no attachment has such a name")
            }
            return text
        }
    }

    /// A media type (RFC 9110, section 8.3.1): type, subtype, and perhaps parameters.
    static var mediaType: Self {
        ValueType("TYPE", kind: .text) { text throws(InvalidValue) in
            let parts = text.prefix { $0 != ";" }.split(
                separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
            else { throw InvalidValue("expected a media type, such as text/markdown") }
            return text
        }
    }

    /// A command line for the shell: it holds at least a word.
    static var shellCommand: Self {
        ValueType("COMMAND", kind: .text) { text throws(InvalidValue) in
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw InvalidValue("expected a command")
            }
            return text
        }
    }
}

extension ValueType where Element == SenderPattern {
    /// `@user@domain`, or `*@domain`.
    static var senderPattern: Self {
        ValueType("ADDRESS", kind: .address) { text throws(InvalidValue) in
            do throws(FmsgAddressError) {
                return try SenderPattern(text)
            } catch {
                throw InvalidValue("\(error.reason); or *@domain for a whole domain")
            }
        }
    }
}

extension ValueType where Element == MessageReference {
    /// An id, a SHA-256, or `-N`.
    package static var messageReference: Self {
        ValueType("REF", kind: .messageReference) { text throws(InvalidValue) in
            do throws(MessageReferenceError) {
                return try MessageReference(text)
            } catch {
                throw InvalidValue(error.reason)
            }
        }
    }
}
