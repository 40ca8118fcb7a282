import CommandLineTool
import FmsgCore

/// Makes the transport of a command, at its first request.
public typealias TransportFactory = @Sendable (TransportSettings) -> any Transport

/// What a running command has at hand.
package struct CommandContext: Sendable {
    package var runtime: Runtime
    package let invocation: Invocation
    package let parser: CommandLineParser
    let makeTransport: TransportFactory
    /// Nil where this is the only line.
    var session: CommandSession?

    /// Whether any form of JSON was asked for.
    package var wantsJSON: Bool {
        invocation[GlobalOptions.json] || invocation[GlobalOptions.jsonLines]
    }

    /// Whether a list goes out one object a line.
    var wantsJSONLines: Bool { invocation[GlobalOptions.jsonLines] }

    /// Whether data goes to a person rather than a pipe.
    package var isOnTerminal: Bool { runtime.terminal.isTerminal(.output) }

    package var output: Output { Output(context: self) }

    /// Says something to a person on stderr, unless told to be quiet.
    package func say(_ text: String) {
        guard !invocation[GlobalOptions.quiet] else { return }
        // What is only talk may get lost with its reader.
        try? runtime.standardError.writeLine("fmsg: \(DisplayText.escape(text))")
    }

    /// The same for lines to come: clients are kept.
    package func joining(_ session: CommandSession) -> CommandContext {
        var context = self
        context.session = session
        return context
    }

    /// What an error is in one line, with what to do about it.
    package static func line(for error: any Error) -> String {
        let report = ErrorReport(error)
        return report.hint.map { "\(report.message); \($0)" } ?? report.message
    }

    /// Reports the failure of one of several: a line, or with `--json` an error object with the
    /// id, and the file's name, that it is about.
    func report(
        _ error: any Error, of reference: MessageReference? = nil, filename: String? = nil
    ) {
        var report = ErrorReport(error)
        if case .id(let id) = reference { report.messageId = id }
        report.filename = filename
        let about = (filename ?? reference.map { "message \($0)" }).map { "\($0): " } ?? ""
        let line = wantsJSON ? report.json.text : "fmsg: \(about)\(report.message)"
        // Without a reader for errors the exit code still tells.
        try? runtime.standardError.writeLine(DisplayText.escape(line))
    }

    /// Whether a person may be asked something.
    var mayAsk: Bool { runtime.terminal.isInteractive && !invocation[GlobalOptions.noInput] }

    /// Tells the session, if there is one, what was done.
    package func note(_ effect: CommandSession.Effect) { session?.note(effect) }
    /// A number that nobody can foresee, for the name of a file.
    var randomName: String {
        runtime.randomBytes(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    // MARK: The host

    package var resolver: AccountResolver {
        AccountResolver(
            environment: runtime.environment, store: profiles,
            profileOption: invocation[GlobalOptions.profile],
            urlOption: invocation[GlobalOptions.apiURL],
            actAs: invocation[GlobalOptions.actAs]?.text)
    }

    var profiles: ProfileStore {
        ProfileStore(
            files: runtime.files, folder: Folders(runtime.environment, runtime.files).configuration)
    }

    var tokenFiles: TokenFiles {
        TokenFiles(
            files: runtime.files, folder: Folders(runtime.environment, runtime.files).tokens,
            warn: { say("warning: \($0)") })
    }

    private func transport(to host: HostURL) -> any Transport {
        makeTransport(TransportSettings(runtime.environment, for: host))
    }

    /// The transport, with each request told where `--verbose` asks for it.
    private func narrated(_ transport: any Transport) -> any Transport {
        guard invocation[GlobalOptions.verbose] else { return transport }
        return NarratedTransport(
            transport: transport, uptime: { [time = runtime.time] in time.uptime },
            say: { say($0) })
    }

    package func client() throws -> FmsgClient { client(for: try resolver.account()) }

    package func client(for account: Account) -> FmsgClient {
        guard let session else {
            return newClient(for: account, over: narrated(transport(to: account.host)))
        }
        return session.clients.client(for: account) {
            newClient(for: account, over: transport(to: account.host))
        }.wrapped { narrated($0) }
    }

    private func newClient(
        for account: Account, over transport: any Transport
    ) -> FmsgClient {
        var cache = TokenCache.none
        if case .apiKey(let key) = account.credential {
            cache = tokenFiles.cache(host: account.host, key: key)
        }
        return FmsgClient(
            host: account.host, credential: account.credential,
            transport: transport,
            clock: FmsgClock(
                now: { [time = runtime.time] in time.now },
                uptime: { [time = runtime.time] in time.uptime },
                sleep: { [time = runtime.time] in try await time.sleep($0) }),
            cache: cache, actAs: account.actAs)
    }

    /// The message that a reference names; what `-N` stood for is said.
    package func message(
        _ reference: MessageReference, from client: FmsgClient
    ) async throws(FmsgError) -> FmsgMessage {
        let resolved = try await resolve(reference, with: client)
        return try await client.message(resolved)
    }

    /// The reference with `-N` replaced by the id that it stands for, which is said.
    func resolve(
        _ reference: MessageReference, with client: FmsgClient
    ) async throws(FmsgError) -> MessageReference {
        guard case .newest(let count) = reference else { return reference }
        let id = try await client.newest(count).id
        say("-\(count) is message \(id)")
        return .id(id)
    }

    /// The references with each `-N` replaced by the id that it stands for, which is said: one
    /// walk for all of them.
    func resolve(
        _ references: [MessageReference], with client: FmsgClient
    ) async throws(FmsgError) -> [MessageReference] {
        let counts = references.compactMap {
            if case .newest(let count) = $0 { count } else { nil }
        }
        guard let most = counts.max() else { return references }
        let ids = try await client.newestIds(most)
        return references.map { reference in
            guard case .newest(let count) = reference else { return reference }
            let id = ids[count - 1]
            say("-\(count) is message \(id)")
            return .id(id)
        }
    }

    /// The id that a reference stands for: no request for an id, one for the others.
    package func id(
        of reference: MessageReference, with client: FmsgClient
    ) async throws(FmsgError) -> Int64 {
        try await client.id(of: try await resolve(reference, with: client))
    }

    /// Runs what must not be torn by a signal: its task is cancelled, and what it makes of that
    /// counts.
    package func interruptible<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (result, signal) = await runtime.signals.cancelling { () -> Result<Value, any Error> in
            do {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        guard let signal, case .failure(let error) = result,
            ErrorReport(error).exitCode == .interrupted
        else { return try result.get() }
        throw CommandFailure("interrupted", exitCode: signal.exitCode)
    }
}
