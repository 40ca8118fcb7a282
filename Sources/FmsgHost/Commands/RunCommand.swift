import CommandLineTool
import FmsgCore

/// `fmsg host run`
enum RunCommand {
    private static let port = Option.value(
        "port", .integer(0...65_535), standard: 8000, "The port to listen on; 0 takes a free one")
    private static let domain = Option.value(
        "domain", .text("DOMAIN"),
        "The domain whose users live here (default: the data's, localhost at first)")
    private static let listen = Option.value(
        "listen", .text("ADDRESS"), standard: "127.0.0.1", "The numeric address to listen on")
    private static let allowRemote = Option.flag(
        "allow-remote", "Listen on an address that other machines can reach")
    private static let generation = Option.value(
        "generation", .choice(HostGeneration.self, "NAME"), standard: .current,
        "Play a host of that age")
    private static let pingPeriod = Option.value(
        "ping-period", .seconds, standard: 45, "Seconds between two pings of an event socket")

    static let declaration = CommandDeclaration(
        "run", group: .host, summary: "Serve the web API until interrupted",
        description: """
            Serves one domain over HTTP from a data folder. It listens on the loopback interface \
            alone unless --listen names another address and --allow-remote says that this is \
            meant: the traffic is not encrypted, so put a TLS proxy in front of it.

            When it serves, it prints its URL. Ctrl-C or SIGTERM ends it cleanly; killed in any \
            other way it comes back with everything that it had confirmed.

            An event socket that is silent for four thirds of the ping period is dropped.
            """,
        options: [
            DataFolder.option, port, domain, listen, allowRemote, generation, pingPeriod,
            HostLimits.maximumSize,
        ],
        examples: [
            Example("fmsg-host run", "Serve on port 8000 of this machine alone"),
            Example(
                "fmsg-host run --domain example.com --data ./data --port 0 --json",
                "Serve a domain on a free port, which the line on standard output names"),
        ],
        output: "{\"type\":\"ready\", \"url\", \"domain\"}", endlessUnless: [])

    static func run(_ call: HostCall) throws {
        let host = try EmbeddedHost(try configuration(call))
        try host.start()
        defer { host.stop() }
        call.say("serving \(host.domain) from \(host.configuration.dataFolder)")
        let ready: JSONObject = [
            Field.type: .string("ready"), "url": .string(host.url), "domain": .string(host.domain),
        ]
        try call.print(ready, text: host.url)
        call.signals.untilAskedToEnd()
    }

    private static func configuration(_ call: HostCall) throws -> HostConfiguration {
        let given = call.invocation
        let address = given[listen]
        guard isLoopback(address) || given[allowRemote] else {
            throw given.usageError(
                "\(address) can be reached from other machines",
                hint: "add --allow-remote if that is meant")
        }
        var configuration = HostConfiguration(
            dataFolder: try call.dataFolder(), domain: given[domain],
            port: UInt16(clamping: given[port]))
        configuration.address = address
        configuration.generation = given[generation]
        configuration.pingPeriod = max(0.01, given[pingPeriod])
        configuration.silenceLimit = configuration.pingPeriod * 4 / 3
        configuration.limits = configuration.limits.given(given)
        configuration.onFailure = { call.say("a request failed: \($0)") }
        return configuration
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.")
    }
}

extension HostLimits {
    static let maximumSize = Option.value(
        "max-size", .byteCount, "Most bytes of a message with its attachments (default: 20 MiB)")

    /// These limits, but for what the line says.
    func given(_ invocation: Invocation) -> HostLimits {
        invocation[Self.maximumSize].map { raised(to: Int(clamping: $0)) } ?? self
    }
}
