import CommandLineTool

/// `fmsg help output`
enum OutputTopic {
    static let topic = HelpTopic("output", summary: "What is printed where, and in which form") {
        [
            .paragraph(
                "Data goes to stdout, talk to stderr; --quiet leaves only errors there, --verbose "
                    + "adds each request. What a sender could put into a text to mislead a "
                    + "terminal is written out, as in \\x1b."),
            .heading("On a terminal"),
            .paragraph(
                "Lists are tables, cut to the width, in local time. The letters between sender "
                    + "and topic are flags:"),
            MessageFlag.terms,
            .heading("In a pipe"),
            .paragraph(
                "Each record is one line of fields parted by tabs, without a heading, with times "
                    + "in RFC 3339 UTC and nothing cut. A tab, line end or backslash in a field "
                    + "is \\t, \\n, \\r or \\\\. The flags are words parted by commas. --fields "
                    + "picks the columns of a list: "
                    + MessageColumn.allCases.map(\.rawValue).joined(separator: ", ") + "."),
            .examples([
                Example(
                    "fmsg inbox --unread --all | cut -f1 | xargs -r fmsg mark-read",
                    "Mark everything read"),
                Example("fmsg inbox --fields from,topic", "Two columns"),
            ]),
            .heading("As JSON"),
            .paragraph(
                "--json prints one value: an object, or an array of a list, however many pages it "
                    + "took. --jsonl prints a list one object a line, as pages come; watch and "
                    + "agent print one event a line, each at once. Names are those of the web API, "
                    + "arrays are never null, and a field that the host does not give is left out. "
                    + "Ids are integers of 64 bits. --fields picks keys; an unknown one is an "
                    + "error that lists all."),
            .examples([
                Example(
                    "fmsg inbox --json | jq -r '.[] | select(.important) | .topic'",
                    "The topics of what is important"),
                Example("fmsg show -1 --json | jq -r .body.text", "A text alone"),
            ]),
            .paragraph(
                "With --json an error is one object on stderr, {\"error\": {\"code\", \"message\", "
                    + "\"status\", \"host_code\", \"retryable\", \"hint\", \"draft_id\", \"id\"}}, "
                    + "keys without a value left out."),
        ]
    }
}
