import CommandLineTool

/// `fmsg help tutorial`: the manual page fmsg-tutorial(7) in short.
public enum TutorialTopic {
    public static let topic = HelpTopic("tutorial", summary: "The first steps") {
        [
            .paragraph(
                "This is the short form of \"man fmsg-tutorial\". Open a shell in which you are "
                    + "@alice@example.com; it and all that you do in it is gone when you type exit:"
            ),
            .examples([Example("fmsg host demo", "A throw-away host with Alice, Bob and Carol")]),
            .paragraph("Send a message, and see as Bob what came:"),
            .examples([
                Example("fmsg send @bob@example.com \"Noodles?\" --topic Lunch", "Send"),
                Example("FMSG_API_KEY=$FMSG_API_KEY_BOB fmsg inbox", "Be Bob, and look"),
                Example("FMSG_API_KEY=$FMSG_API_KEY_BOB fmsg reply -1 \"Gladly.\"", "Answer"),
            ]),
            .paragraph(
                "-1 is the newest message of an inbox. Back as Alice, read the whole conversation:"),
            .examples([Example("fmsg thread -1", "From its first message on")]),
            .paragraph("Let a program answer what is unread:"),
            .examples([
                Example(
                    "fmsg agent --input text --exec 'wc -w' --once",
                    "Answer with the number of words"),
                Example("fmsg sent -n 1", "The answer that was sent"),
            ]),
            .paragraph(
                "With an account at a host, log in instead; from then on every command works "
                    + "with your own messages:"),
            .examples([
                Example("fmsg login --api-url https://fmsg.example.com", "Asks for the key")
            ]),
        ]
    }
}
