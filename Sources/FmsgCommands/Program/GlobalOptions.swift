import CommandLineTool
import FmsgCore

/// The options that every command accepts, anywhere on the line.
package enum GlobalOptions {
    static let json = Option.flag("json", "Print JSON: one value, or one object a line of a stream")
    static let jsonLines = Option.flag("jsonl", "Print a list as JSON, one object a line")
    static let fields = Option.value(
        "fields", .names("NAMES", kind: .fieldNames),
        "Print only these columns or keys, parted by commas")
    static let profile = Option.value(
        "profile", .namedProfile, "Act as the identity of a profile")
    static let apiURL = Option.value(
        "api-url", .text("URL", kind: .url), "Speak to this host")
    static let actAs = Option.value("as", .address, "Act as a sub-account of the owner")
    static let color = Option.value(
        "color", .choice(ColorChoice.self, "WHEN"), standard: .auto, "When to use colour")
    static let pager = Option.flag("pager", "On a terminal, show lists and texts in a pager")
    static let quiet = Option.flag("quiet", short: "q", "Say nothing on stderr but errors")
    static let verbose = Option.flag("verbose", short: "v", "Tell each request on stderr")
    static let noInput = Option.flag("no-input", "Never ask; fail instead")
    static let help = Option.flag("help", short: "h", "Show help: -h in brief, --help in full")
    static let version = Option.flag(
        "version", "Show the version, with --verbose also that of libcurl")

    package static let all: [any DeclaredOption] = [
        json, jsonLines, fields, profile, apiURL, actAs, color, pager, quiet, verbose, noInput,
    ]
}

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

extension ValueType where Element == FmsgAddress {
    /// An address `@user@domain`.
    static var address: Self {
        ValueType("ADDRESS", kind: .address) { text throws(InvalidValue) in
            do throws(FmsgAddressError) {
                return try FmsgAddress(text)
            } catch {
                throw InvalidValue(error.reason)
            }
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
