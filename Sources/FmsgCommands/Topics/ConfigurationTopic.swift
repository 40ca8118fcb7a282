import CommandLineTool

/// `fmsg help configuration`, and the manual page fmsg-config(5).
public enum ConfigurationTopic {
    public static let topic = HelpTopic("configuration", summary: "The files that fmsg keeps") {
        [
            .paragraph(
                "There is no file of settings: what can be set is an option or an environment "
                    + "variable. What fmsg keeps by itself is this, readable by you alone:"),
            .terms([
                .init(
                    "~/.config/fmsg/credentials.json",
                    "The profiles: the host, key and address of each login, and which one is the "
                        + "default. In \(EnvironmentVariable.configDirectory) or "
                        + "$XDG_CONFIG_HOME/fmsg where they are set. It is refused while others "
                        + "can read it. The auth.json of the public Go client is read where there "
                        + "is no credentials.json."),
                .init(
                    "~/.cache/fmsg/tokens/",
                    "Tokens of some hours, one file each. In $XDG_CACHE_HOME/fmsg where it is "
                        + "set; none with \(EnvironmentVariable.noTokenCache)=1."),
                .init(
                    "~/.cache/fmsg/completion/",
                    "Ids, senders, topics and names of attachments of recent messages, for the "
                        + "shell's completion. It is there once you have completed one; never "
                        + "with \(EnvironmentVariable.noCompletionCache)=1."),
                .init(
                    "~/.local/state/fmsg/",
                    "What agents have answered. In \(EnvironmentVariable.stateDirectory) or "
                        + "$XDG_STATE_HOME/fmsg where they are set. Do not delete it: an agent "
                        + "could answer a message twice."),
            ]),
            .paragraph(
                "Everything below ~/.cache can be deleted at any time. Without a home folder "
                    + "whatever needs no file works all the same."),
            .heading("The credentials"),
            .paragraph(
                "credentials.json is a JSON object with version (1), default (the name of a "
                    + "profile, or null), and profiles: an object that has, by the name of each "
                    + "profile, its api_url, api_key (or access_token) and address. Write it with "
                    + "fmsg login, fmsg logout and fmsg profile."),
            .examples([
                Example("fmsg login --api-url https://fmsg.example.com", "Make a profile"),
                Example("fmsg logout", "Forget it"),
            ]),
        ]
    }
}
