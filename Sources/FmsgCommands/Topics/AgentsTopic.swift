import CommandLineTool

/// `fmsg help agents`
enum AgentsTopic {
    static let topic = HelpTopic("agents", summary: "How to let a program answer messages") {
        [
            .paragraph(
                "An agent is any command that reads a message on its standard input and writes "
                    + "the answer to its standard output. fmsg agent waits for messages, runs the "
                    + "command for each, and sends what it prints as a reply to all; when it "
                    + "prints nothing, there is no reply."),
            .heading("Begin"),
            .paragraph(
                "Try it on a throw-away host: fmsg host demo gives you a shell as Alice. See "
                    + "what would be answered, then answer once, then for ever:"),
            .examples([
                Example(
                    "fmsg agent --allow-all --input text --exec 'wc -w' --once --dry-run",
                    "What would be answered"),
                Example(
                    "fmsg agent --allow-all --input text --exec 'wc -w' --once",
                    "Answer each unread message with its number of words, and end"),
                Example("fmsg agent --exec ./answer.sh", "Go on until you stop it"),
            ]),
            .heading("What the command gets"),
            .paragraph(
                "By --input: json is {\"me\", \"message\", \"lineage\", \"turns\"} with the whole "
                    + "conversation; turns is an array of {\"role\", \"content\"}, as the chat "
                    + "API of a language model takes it; text is the text alone. Its environment "
                    + "has \(EnvironmentVariable.messageId), \(EnvironmentVariable.from) and "
                    + "\(EnvironmentVariable.topic), and no credentials."),
            .paragraph(
                "A command that answers with a language model is three lines of shell: read the "
                    + "turns, hand them to the model's own program, print what it says."),
            .heading("Who is answered"),
            .paragraph(
                "Your owner and the addresses of your owner's domain, until --allow names others: "
                    + "an address, or *@example.com for a whole domain. Never answered are your "
                    + "own messages, reactions, and messages that want no reply. A thread gets at "
                    + "most --max-replies answers, so that two agents do not thank each other for "
                    + "ever."),
            .heading("Once, whatever dies when"),
            .paragraph(
                "A ledger in the state folder remembers what was decided, so that each message is "
                    + "answered once even when the machine stops in the middle. A command that "
                    + "fails is run again later, up to --retries times."),
            .heading("From cron, or as a service"),
            .paragraph(
                "Without a terminal all that it needs is \(EnvironmentVariable.apiURL), "
                    + "\(EnvironmentVariable.apiKey) and a state folder. A second agent for the "
                    + "same address does nothing, so a line in a crontab is safe:"),
            .examples([
                Example(
                    "fmsg agent --once --input turns --exec ./answer.sh --quiet",
                    "Answer what is there, and end")
            ]),
            .paragraph(
                "To react to messages without answering them, use fmsg watch --exec."),
        ]
    }
}
