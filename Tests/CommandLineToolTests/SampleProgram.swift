import CommandLineTool

/// A small program with one command of each shape.
enum SampleProgram {
    enum Color: String, CaseIterable, Sendable { case auto, always, never }

    static let json = Option.flag("json", "Print JSON")
    static let quiet = Option.flag("quiet", short: "q", "Say nothing but errors")
    static let verbose = Option.flag("verbose", short: "v", "Say more")
    static let profile = Option.value("profile", .text("NAME", kind: .profile), "Use a profile")
    static let fields = Option.value("fields", .names("A,B"), "Pick fields")
    static let color = Option.value(
        "color", .choice(Color.self, "WHEN"), standard: .auto, "When to colour")
    static let help = Option.flag("help", short: "h", "Show help")
    static let version = Option.flag("version", "Show the version")

    static let unread = Option.flag("unread", short: "u", "Only what is unread")
    static let limit = Option.value(
        "limit", short: "n", .integer(1...1000), standard: 20, "How many to show")
    static let from = Option.value("from", .text("ADDRESS", kind: .address), "Only from there")
    static let allow = Option.values("allow", .text("PATTERN"), "Answer these")
    static let wait = Option.optionalValue("wait", short: "w", .seconds, "Wait for one to come")

    static let message = Operand.required(
        "MESSAGE", .text(kind: .messageReference), "the message to show")
    static let messages = Operand.repeated(
        "MESSAGE", .text(kind: .messageReference), minimum: 1, "the messages to mark")
    static let emoji = Operand.optional("EMOJI", .text(), "the emoji to react with")
    static let number = Operand.required("NUMBER", .integer(0...9), "a digit")
    static let words = Operand.repeated("WORD", .text(), "the recipients and the text")

    static let inbox = CommandDeclaration(
        "inbox", group: .read, summary: "List received messages",
        description: "Newest first. Drafts are not shown.",
        options: [unread, limit, from, allow, wait], exitCodes: [.nothingCame, .hostUnavailable],
        examples: [Example("fmsg inbox --unread", "what was not read yet")],
        output: #"[{"id","time","from"}]"#)
    static let show = CommandDeclaration(
        "show", group: .read, summary: "Show one message", options: [unread], operands: [message],
        examples: [Example("fmsg show -1", "the newest message")])
    static let react = CommandDeclaration(
        "react", group: .write, summary: "React to a message", operands: [message, emoji],
        examples: [Example("fmsg react 12 👍", "thumbs up")])
    static let markRead = CommandDeclaration(
        "mark-read", group: .write, summary: "Mark messages read", operands: [messages, number],
        examples: [Example("fmsg mark-read 1 2 3", "mark two")])
    static let send = CommandDeclaration(
        "send", group: .write, summary: "Send a message", operands: [words],
        examples: [Example("fmsg send @bob@example.com hello", "a short message")])
    static let draft = CommandDeclaration(
        "draft", group: .write, summary: "Show the drafts",
        examples: [Example("fmsg draft", "all drafts")])
    static let draftCreate = CommandDeclaration(
        "draft create", group: .write, summary: "Make a draft", options: [from],
        operands: [words], examples: [Example("fmsg draft create @bob@example.com", "an empty one")]
    )
    static let grantShow = CommandDeclaration(
        "grant show", group: .grants, summary: "Show a grant",
        examples: [Example("fmsg grant show", "the grant")])
    static let host = CommandDeclaration(
        "host", group: .host, summary: "Run a host", examples: [Example("fmsg host run", "run it")],
        isExternal: true)

    static let colours = HelpTopic("colours", summary: "When colour is used") {
        [
            .paragraph("On a terminal, unless NO_COLOR is set."),
            .terms([.init("auto", "as said"), .init("0", "not a number")]),
            .heading("Otherwise"), .paragraph("Never."),
            .examples([Example("fmsg inbox --color always", "with colour all the same")]),
        ]
    }

    static let parser = CommandLineParser(
        program: "fmsg",
        commands: [
            inbox, show, react, markRead, send, draft, draftCreate, grantShow, host,
        ],
        globalOptions: [json, quiet, verbose, profile, fields, color], help: help,
        version: version, topics: [colours])
}
