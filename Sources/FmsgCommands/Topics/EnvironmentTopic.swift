import CommandLineTool

/// `fmsg help environment`
enum EnvironmentTopic {
    static let topic = HelpTopic(
        "environment", summary: "The environment variables that count"
    ) {
        [
            .paragraph(
                "An option wins over the environment, the environment over the profile. An empty "
                    + "variable counts as none."),
            .terms(EnvironmentVariable.read.map { .init($0.name, $0.meaning) }),
            .heading("Set for a hook or handler"),
            .terms(EnvironmentVariable.handedOn.map { .init($0.name, $0.meaning) }),
            .examples([
                Example(
                    "FMSG_API_KEY=$(cat key) fmsg inbox",
                    "A key from a file, for one command; FMSG_API_URL is set already")
            ]),
        ]
    }
}

/// A variable with what it means.
struct DeclaredVariable: Sendable {
    let name: String
    let meaning: String

    init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }
}

extension EnvironmentVariable {
    /// Every variable that is read, in the order of the help.
    static let read = [
        DeclaredVariable(apiURL, "The host, as in https://fmsg.example.com"),
        DeclaredVariable(apiKey, "The API key"),
        DeclaredVariable(token, "A token of your identity provider, in place of a key"),
        DeclaredVariable(
            profile, "The profile; otherwise the default: the last login, or what profile use chose"
        ),
        DeclaredVariable(configDirectory, "The folder of the profiles and their keys"),
        DeclaredVariable(
            stateDirectory, "The folder of the agents' ledgers, and of texts that could not be sent"
        ),
        DeclaredVariable(defaultDomain, "The domain of bare names in --to NAME"),
        DeclaredVariable(
            directory, "The path of a JSON object of names and addresses, for --to NAME"),
        DeclaredVariable(noTokenCache, "If 1, no token is kept on disk"),
        DeclaredVariable(
            noCompletionCache, "If 1, nothing is kept on disk for the completion of messages"),
        DeclaredVariable(allowInsecureHTTP, "If 1, plain HTTP to other machines is allowed"),
        DeclaredVariable("XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "As usual"),
        DeclaredVariable("NO_COLOR, CLICOLOR_FORCE, TERM", "Whether to colour, as usual"),
        DeclaredVariable("VISUAL, EDITOR", "The editor for a text"),
        DeclaredVariable(
            "\(pager), \(less)",
            "What --pager runs, by a shell; LESS is FRX for it if it is not set"),
        DeclaredVariable("COLUMNS", "The width of the terminal"),
        DeclaredVariable(
            "https_proxy, http_proxy, all_proxy, no_proxy", "Proxies, as usual, in either case"),
        DeclaredVariable(
            "SSL_CERT_FILE, SSL_CERT_DIR", "Certificates to trust in place of the system's"),
    ]

    /// Every variable that is set for a hook or handler.
    static let handedOn = [
        DeclaredVariable(event, "The type of the event: new_msg, or another with --events"),
        DeclaredVariable(messageId, "The id of the message"),
        DeclaredVariable(from, "Its sender"),
        DeclaredVariable(topic, "Its topic"),
        DeclaredVariable(rootId, "For a handler the id of the thread's first message"),
    ]
}
