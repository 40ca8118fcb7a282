import CommandLineTool

/// `fmsg help references`
enum ReferencesTopic {
    static let topic = HelpTopic("references", summary: "How a message, or a person, is named") {
        [
            .paragraph("A command that wants a REF takes any of these:"),
            .terms([
                .init("42", "The id that the host gave the message. It stays the same for good."),
                .init(
                    "-1",
                    "The newest message of your inbox by id; -2 is the one before it, and so on. "
                        + "Drafts and reactions are not counted. What it stood for is said on "
                        + "stderr. It needs no -- before it."),
                .init(
                    "SHA-256",
                    "The 64 hexadecimal digits that are the same on every host. Older hosts do "
                        + "not know them."),
            ]),
            .examples([
                Example("fmsg show -1", "The newest message"),
                Example("fmsg thread 42 --json | jq .root_id", "Where the thread of 42 began"),
            ]),
            .paragraph(
                "An id belongs to one host: on another one the same message has another id."),
            .heading("Addresses"),
            .paragraph(
                "An address is @user@domain. Capital and small letters are the same to a host; "
                    + "the spelling that it gives is shown. A bare name, as in --to bob, is looked "
                    + "up in the directory that \(EnvironmentVariable.directory) names, or stands "
                    + "for @bob at \(EnvironmentVariable.defaultDomain)."),
            .examples([
                Example(
                    "fmsg send @bob@example.com @carol@example.com \"Noodles?\"", "To two people")
            ]),
            .heading("Times"),
            .paragraph(
                "WHEN is RFC 3339 (2026-11-30T12:00:00Z), a date (midnight UTC), or an age: a "
                    + "number with s, m, h, d or w."),
            .examples([Example("fmsg inbox --since 2d", "The last two days")]),
        ]
    }
}
