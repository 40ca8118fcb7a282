import CommandLineTool
import FmsgCore

/// `fmsg agent`: a program that reads stdin and writes stdout answers messages.
enum AgentCommand: Command {
    static let exec = Option.value(
        "exec", .shellCommand, "The handler: what it prints is the reply")
    static let allow = Option.values(
        "allow", .senderPattern, "Answer this sender, or all of a domain as *@domain")
    static let allowAll = Option.flag("allow-all", "Answer everyone")
    static let maximumReplies = Option.value(
        "max-replies", .integer(1...100_000), standard: 10, "Replies in one thread at the most")
    static let contextSize = Option.value(
        "context", .integer(1...100), "Give the handler only the last N messages of the thread")
    static let input = Option.value(
        "input", .choice(AgentHandler.Input.self, "FORM"), standard: .json,
        "What the handler gets on its stdin")
    static let type = Option.value(
        "type", .mediaType, standard: MediaType.plainText, "Media type of the replies")
    static let timeout = Option.value(
        "timeout", .seconds, standard: 300, "How long the handler may take")
    static let retries = Option.value(
        "retries", .integer(1...1000), standard: 3, "How often it may fail for a message")
    static let since = Option.value(
        "since", .instant, "Answer nothing older: RFC 3339, a date (UTC), or an age such as 2d")
    static let markSkipped = Option.flag(
        "mark-skipped", "Also mark read what is not answered for its sender or age")
    static let passCredentials = Option.flag(
        "pass-credentials", "Let the handler have your key or token")
    static let once = Option.flag("once", "Answer what is unread, and end")
    static let dryRun = Option.flag("dry-run", "Tell what would be answered, and change nothing")

    static let declaration = CommandDeclaration(
        "agent", group: .live, summary: "Answer messages with what a command prints",
        description: """
            For each unread message the command is run by sh. It gets the message as JSON on its \
            standard input, {"me", "message", "lineage", "turns"}, with --input turns only the \
            turns for a language model, with --input text only the text. What it prints goes as a \
            reply to all; when it prints nothing there is no reply. FMSG_EVENT, FMSG_MESSAGE_ID, \
            FMSG_FROM, FMSG_TOPIC and FMSG_ROOT_ID are in its environment, your key and token are \
            not. A text in the turns can imitate another sender: whoever must be sure of one \
            reads the lineage.

            Answered are your owner and the addresses of your owner's domain (your own domain \
            when you act for yourself), or whom --allow names; never your own messages, reactions, \
            and what is no-reply or terminal. The last reply that a thread gets says that it \
            wants none in return.

            A ledger in the state folder sees to it that a message is answered once, whatever \
            dies when: a reply that was decided on is sent as it stands. This holds for one ledger \
            on one machine. The command may run more than once for a message before its answer is \
            known: the message's id tells. When a person answers from the same address meanwhile, \
            a last look before the sending notices. A draft that somebody else made for the same \
            message is left alone.

            When the command fails, the message stays unread and is tried again after a pause; \
            after --retries failures it is given up. Others go on meanwhile. Only one agent runs \
            for an address: a second one with --once ends with exit code 0.

            In a pipe each decision is one line of tab-separated fields: what was done, id, and \
            the reply's id or the reason.
            """,
        options: [
            exec, allow, allowAll, maximumReplies, contextSize, input, type, timeout, retries,
            since, markSkipped, passCredentials, once, dryRun,
        ],
        exitCodes: [
            .notAuthenticated, .refused, .hostUnavailable, .someFailed, .interrupted, .terminated,
        ],
        examples: [
            Example("fmsg agent --exec ./answer.sh", "Answer your owner's domain, for ever"),
            Example(
                "fmsg agent --once --input text --exec 'wc -w' --allow '*@example.com'",
                "Count words for a whole domain, from cron"),
            Example("fmsg agent --exec true --once --dry-run", "What would be answered"),
        ],
        output: """
            One object a line: {"type":"ready"}, {"type":"answered","id","reply_id","root_id"}, \
            {"type":"skipped","id","reason"}, {"type":"failed","id","reason","given_up"}, \
            {"type":"due","id"} of a dry run, and {"type":"disconnected","reason","retry_in"}.
            """,
        alike: ["bot"], endlessUnless: [once, dryRun])

    static var keys: [String] { AgentReport.keys }

    static func run(_ invocation: Invocation, in context: CommandContext) async throws -> ExitCode {
        guard let command = invocation[exec] else {
            throw invocation.usageError(
                "there is no handler", hint: "give it with --exec COMMAND")
        }
        guard !invocation[allowAll] || invocation[allow].isEmpty else {
            throw invocation.usageError("--allow and --allow-all exclude each other")
        }
        let client = try context.client()
        return try await context.interruptible {
            try await answer(with: command, client, invocation, in: context)
        }
    }

    private static func answer(
        with command: String, _ client: FmsgClient, _ invocation: Invocation,
        in context: CommandContext
    ) async throws -> ExitCode {
        let report = AgentReport(context: context)
        let identity = try await identity(
            client, report, isPatient: !invocation[once] && !invocation[dryRun])
        let file = try ledgerFile(for: identity, at: client.host, in: context)
        let handler = AgentHandler(
            command: command, identity: identity, invocation, in: context)
        let policy = policy(invocation, in: context)
        if invocation[dryRun] {
            return try await Agent(
                client: client, identity: identity, policy: policy, handler: handler,
                ledger: file.peek(), file: nil, report: report
            ).runOnce()
        }
        guard try file.open(warn: { context.say("warning: \($0)") }) else {
            let holder = file.holder.map { " (process \($0))" } ?? ""
            let words = "an agent for \(identity.address) is running already\(holder)"
            guard invocation[once] else { throw CommandFailure(words) }
            context.say(words)
            return .done
        }
        let agent = Agent(
            client: client, identity: identity, policy: policy, handler: handler,
            ledger: file.ledger, file: file, report: report)
        return invocation[once] ? try await agent.runOnce() : try await agent.run()
    }

    /// Who is to answer, which only the host knows: an agent that goes on waits for a host that is
    /// away, as it would later.
    private static func identity(
        _ client: FmsgClient, _ report: AgentReport, isPatient: Bool
    ) async throws -> Identity {
        var failures = 0
        while true {
            do throws(FmsgError) {
                return try await client.whoami()
            } catch {
                guard isPatient, error.category == .unreachable else { throw error }
                let pause = Backoff().pause(after: failures, error)
                failures += 1
                try report.disconnected(error.message, retryIn: pause)
                try await report.context.runtime.time.sleep(pause)
            }
        }
    }

    private static func policy(
        _ invocation: Invocation, in context: CommandContext
    ) -> AgentPolicy {
        let patterns = invocation[allow]
        return AgentPolicy(
            senders: invocation[allowAll]
                ? .everyone : patterns.isEmpty ? .ownDomain : .only(patterns),
            since: invocation[since]?.seconds(before: context.runtime.time.now),
            maximumReplies: invocation[maximumReplies], marksSkipped: invocation[markSkipped],
            retries: invocation[retries])
    }

    private static func ledgerFile(
        for identity: Identity, at host: HostURL, in context: CommandContext
    ) throws -> AgentLedgerFile {
        guard let folder = Folders(context.runtime.environment, context.runtime.files).state else {
            throw CommandFailure(
                "there is no place for the agent's ledger",
                hint: "set \(EnvironmentVariable.stateDirectory) to a folder")
        }
        return AgentLedgerFile(
            files: context.runtime.files, folder: folder, host: host, address: identity.address)
    }
}
