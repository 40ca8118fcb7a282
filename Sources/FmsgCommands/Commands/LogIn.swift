import CommandLineTool
import FmsgCore

/// What `login` and `profile add` have in common: a secret is read, shown to the host, and kept
/// once that has accepted it.
enum LogIn {
    static let source = Operand.optional(
        "-", .text("-"), "Read the API key or token from standard input")

    /// The longest key or token that is read, in bytes.
    private static let limit = 16 << 10

    /// An identity that the host has accepted.
    struct Accepted: Sendable {
        let identity: Identity
        let host: HostURL
        let credential: Credential

        func profile(_ name: String) -> Profile {
            Profile(
                name: name, apiURL: host.text, credential: credential, address: identity.address)
        }
    }

    /// Reads the secret and has the host accept it. Nothing is kept yet.
    /// - Parameter profile: the name under which a host may be known already.
    static func accepted(
        profile: String?, _ invocation: Invocation, in context: CommandContext
    ) async throws -> Accepted {
        let operand = try invocation[source]
        guard operand == nil || operand == "-" else {
            // It may be the key: it is not repeated.
            throw invocation.usageError(
                "a key is never given as an argument, where others can see it",
                hint: "pipe it: fmsg \(invocation.command.name) -")
        }
        let host = try await host(profile: profile, invocation, context)
        let credential = try await credential(isFromInput: operand != nil, invocation, context)
        let client = context.client(
            for: Account(host: host, credential: credential, profile: nil, actAs: nil))
        // A key is shown to the host to get a token; a token must be shown on purpose.
        if case .token = credential { _ = try await client.inbox(limit: 1) }
        return Accepted(
            identity: try await client.whoami(), host: host, credential: credential)
    }

    /// Prints who it is now, or says it.
    static func tell(
        _ accepted: Accepted, profile: String, in context: CommandContext
    ) throws {
        let identity = accepted.identity
        if context.wantsJSON {
            try context.output.write(
                WhoamiCommand.json(identity, host: accepted.host, profile: profile))
        } else {
            context.say(
                "logged in as \(identity.address) at \(accepted.host), profile \(profile)")
        }
    }

    private static func host(
        profile: String?, _ invocation: Invocation, _ context: CommandContext
    ) async throws -> HostURL {
        if let host = try context.resolver.host() { return host }
        let profiles = try context.profiles.load()
        let known = (profile ?? profiles.defaultName).flatMap { profiles[$0] }
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

    private static func credential(
        isFromInput: Bool, _ invocation: Invocation, _ context: CommandContext
    ) async throws -> Credential {
        let secret: String
        if isFromInput {
            secret = trimmed(try await context.runtime.standardInput.readAll(limit: limit))
        } else if let given = context.runtime.environment.first(
            of: EnvironmentVariable.apiKey, EnvironmentVariable.token)
        {
            secret = trimmed(Array(given.utf8))
        } else {
            guard context.mayAsk else {
                throw invocation.usageError(
                    "there is no terminal to ask for the key on",
                    hint: "pipe it: fmsg \(invocation.command.name) -, or set "
                        + EnvironmentVariable.apiKey)
            }
            secret = trimmed(Array(try await asked(context).utf8))
        }
        guard secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !secret.isEmpty else {
            throw invocation.usageError("what was given is no API key")
        }
        return Redaction.isToken(secret) ? .token(secret) : .apiKey(secret)
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
