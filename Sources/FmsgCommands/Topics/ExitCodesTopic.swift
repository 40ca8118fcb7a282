import CommandLineTool

/// `fmsg help exit-codes`
enum ExitCodesTopic {
    static let topic = HelpTopic("exit-codes", summary: "What a command says when it ends") {
        [
            .exitCodes(ExitCode.all),
            .paragraph(
                "0 is never said before the host has confirmed it. 5 also says that the host is "
                    + "too old for what was asked; with --json the error's code is then "
                    + "unsupported. After 75 look before you send again: the id of the draft is "
                    + "told."),
            .examples([
                Example(
                    "fmsg whoami --check --quiet >/dev/null || echo \"log in first\"",
                    "Ask before a script begins"),
                Example(
                    "fmsg show 999 --quiet; [ $? = 3 ] && echo \"no such message\"",
                    "Tell one failure from another"),
            ]),
            .paragraph("Each command's help lists the codes that it can end with."),
        ]
    }
}
