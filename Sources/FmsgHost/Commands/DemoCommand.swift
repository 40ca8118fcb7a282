import CommandLineTool
import FmsgCore

/// `fmsg host demo`
enum DemoCommand {
    private static let users = ["alice", "bob", "carol"]
    private static let domain = "example.com"
    private static let command = Operand.repeated(
        "COMMAND", .text("COMMAND"), "The command to run, with its arguments")

    static let declaration = CommandDeclaration(
        "demo", group: .host, summary: "Run a command with a throw-away host",
        description: """
            Starts a host in a temporary folder on a free port of this machine, with the users \
            @alice, @bob and @carol at example.com, runs COMMAND, and removes everything when \
            that ends. Its exit code is COMMAND's.

            COMMAND finds the host's URL in FMSG_API_URL, Alice's API key in FMSG_API_KEY, the \
            others' in FMSG_API_KEY_BOB and FMSG_API_KEY_CAROL. FMSG_CONFIG_DIR, FMSG_STATE_DIR \
            and XDG_CACHE_HOME name temporary folders where they are not set, so that nothing of \
            the demo stays; FMSG_TOKEN and FMSG_PROFILE are taken out. FMSG_HOST_DATA names the \
            host's data, so that COMMAND can add users.

            Without COMMAND, on a terminal, it starts $SHELL; exit ends it.
            """,
        options: [HostLimits.maximumSize], operands: [command],
        examples: [
            Example("fmsg-host demo", "Open a shell in which Alice can send to Bob"),
            Example("fmsg-host demo -- fmsg inbox", "Run one command as Alice"),
        ])

    static func run(_ call: HostCall) throws -> Int32 {
        let command = try command(call)
        let environment = call.runtime.environment
        let folder = try TemporaryFolder(
            in: environment["TMPDIR"] ?? "/tmp", prefix: "fmsg-demo")
        defer { folder.remove() }
        let data = folder.path + "/data"
        var configuration = HostConfiguration(dataFolder: data, domain: domain)
        configuration.limits = configuration.limits.given(call.invocation)
        let host = try EmbeddedHost(configuration)
        let keys = try users.map { try host.addUser("@\($0)@\(domain)") }
        try host.start()
        defer { host.stop() }
        call.say("a throw-away host for \(domain) is at \(host.url)")
        if try call.invocation[Self.command].isEmpty {
            call.say(
                "you are @alice@\(domain); FMSG_API_KEY_BOB and FMSG_API_KEY_CAROL hold the keys "
                    + "of the others; exit ends it")
        }
        var surroundings = surroundings(environment, folder, host.url, keys)
        surroundings[DataFolder.variable] = data
        return try ChildProcess.run(command, environment: surroundings, signals: call.signals)
    }

    private static func command(_ call: HostCall) throws -> [String] {
        let command = try call.invocation[command]
        guard command.isEmpty else { return command }
        guard call.runtime.terminal.isInteractive else {
            throw call.invocation.usageError(
                "there is no command, and no terminal for a shell",
                hint: "usage: fmsg-host demo -- COMMAND...")
        }
        return [call.runtime.environment["SHELL"] ?? "/bin/sh"]
    }

    private static func surroundings(
        _ environment: Environment, _ folder: TemporaryFolder, _ url: String, _ keys: [String]
    ) -> Environment {
        var environment = environment
        environment["FMSG_API_URL"] = url
        for (user, key) in zip(users, keys) {
            let suffix = user == users.first ? "" : "_\(user.uppercased())"
            environment["FMSG_API_KEY\(suffix)"] = key
        }
        for name in ["FMSG_TOKEN", "FMSG_PROFILE"] { environment[name] = nil }
        for (name, part) in [
            ("FMSG_CONFIG_DIR", "config"), ("FMSG_STATE_DIR", "state"), ("XDG_CACHE_HOME", "cache"),
        ] where environment[name] == nil { environment[name] = "\(folder.path)/\(part)" }
        return environment
    }
}
