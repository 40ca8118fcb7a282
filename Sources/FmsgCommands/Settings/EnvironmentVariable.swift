/// The names of the environment variables that the suite reads, or sets for a hook or handler,
/// each in this one place.
enum EnvironmentVariable {
    static let apiURL = "FMSG_API_URL"
    static let apiKey = "FMSG_API_KEY"
    static let token = "FMSG_TOKEN"
    static let profile = "FMSG_PROFILE"
    static let configDirectory = "FMSG_CONFIG_DIR"
    static let stateDirectory = "FMSG_STATE_DIR"
    static let defaultDomain = "FMSG_DEFAULT_DOMAIN"
    static let directory = "FMSG_DIRECTORY"
    static let noTokenCache = "FMSG_NO_TOKEN_CACHE"
    static let noCompletionCache = "FMSG_NO_COMPLETION_CACHE"
    static let allowInsecureHTTP = "FMSG_ALLOW_INSECURE_HTTP"

    // Which pager shows what --pager asks for, and how `less` behaves.
    static let pager = "PAGER"
    static let less = "LESS"

    // Set for a hook or handler.
    static let event = "FMSG_EVENT"
    static let messageId = "FMSG_MESSAGE_ID"
    static let from = "FMSG_FROM"
    static let topic = "FMSG_TOPIC"
    static let rootId = "FMSG_ROOT_ID"
}
