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
