import CommandLineTool
import FmsgCore

/// `fmsg login`: keeps a key, once the host has accepted it.
enum LoginCommand: Command {
    static let source = Operand.optional(
        "-", .text("-"), "Read the API key from standard input")

    /// The longest key that is read, in bytes.
    private static let limit = 4096

    static let declaration = CommandDeclaration(
        "login", group: .identity, summary: "Log in to a host with an API key",
        description: """
            The key is asked for on the terminal, without echo; with - it is read from standard \
            input; else it is taken from FMSG_API_KEY. It is never an argument, where others \
            could see it. It is kept only once the host has accepted it, in credentials.json, \
            readable by you alone.

            The profile is named after the address unless --profile names it, and becomes the \
            default.
            """,
        operands: [source],
        exitCodes: [.notAuthenticated, .refused, .hostUnavailable],
        examples: [
            Example("fmsg login --api-url https://fmsg.example.com", "Asks for the key"),
            Example("pass fmsg | fmsg login - --api-url https://fmsg.example.com", "From a vault"),
        ],
        output: #"{"address", "owner", "api_url", "profile", "token_expires_at"}"#,
        alike: ["auth", "init", "config"])

    static var keys: [String] { WhoamiCommand.identityKeys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        let operand = try invocation[source]
        guard operand == nil || operand == "-" else {
            // It may be the key: it is not repeated.
            throw invocation.usageError(
                "a key is never given as an argument, where others can see it",
                hint: "pipe it: fmsg login -")
        }
        let host = try await host(try context.profiles.load(), invocation, context)
        let key = try await key(isFromInput: operand != nil, invocation, context)
        let client = context.client(
            for: Account(host: host, credential: .apiKey(key), profile: nil, actAs: nil))
        let identity = try await client.whoami()
        let name = invocation[GlobalOptions.profile] ?? Profiles.name(for: identity.address)
        let profile = Profile(
            name: name, apiURL: host.text, credential: .apiKey(key), address: identity.address)
        try await context.profiles.update(context.runtime.time) { $0.add(profile) }
        if context.wantsJSON {
            try context.output.write(
                WhoamiCommand.json(identity, host: host, profile: name))
        } else {
            context.say("logged in as \(identity.address) at \(host), profile \(name)")
        }
        return .done
    }

    private static func host(
        _ profiles: Profiles, _ invocation: Invocation, _ context: CommandContext
    ) async throws -> HostURL {
        if let host = try context.resolver.host() { return host }
        let known = (invocation[GlobalOptions.profile] ?? profiles.defaultName)
            .flatMap { profiles[$0] }
        if let known { return try context.resolver.checkedHost(known.apiURL) }
        guard context.mayAsk else {
            throw invocation.usageError("which host?", hint: "give --api-url URL")
        }
        try context.runtime.standardError.write("API URL of the host: ")
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), line.count < limit {
            let bytes = try await context.runtime.standardInput.read(atMost: 1)
            guard !bytes.isEmpty else { break }
            line += bytes
        }
        return try context.resolver.checkedHost(trimmed(line))
    }

    private static func key(
        isFromInput: Bool, _ invocation: Invocation, _ context: CommandContext
    ) async throws -> String {
        let key: String
        if isFromInput {
            key = trimmed(try await context.runtime.standardInput.readAll(limit: limit))
        } else if let given = context.runtime.environment[EnvironmentVariable.apiKey] {
            key = given
        } else {
            guard context.mayAsk else {
                throw invocation.usageError(
                    "there is no terminal to ask for the key on",
                    hint: "pipe it: fmsg login -, or set \(EnvironmentVariable.apiKey)")
            }
            key = trimmed(Array(try await asked(context).utf8))
        }
        guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !key.isEmpty else {
            throw invocation.usageError("what was given is no API key")
        }
        return key
    }

    private static func asked(_ context: CommandContext) async throws -> String {
        do {
            return try await context.runtime.secretPrompt.read("API key: ")
        } catch .interrupted(let signal) {
            throw CommandFailure("interrupted", exitCode: signal.exitCode)
        } catch {
            throw CommandFailure("\(error)", hint: "pipe the key: fmsg login -", exitCode: .usage)
        }
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = bytes.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) }
        return String(decoding: start[..<(end ?? start.startIndex)], as: UTF8.self)
    }
}
