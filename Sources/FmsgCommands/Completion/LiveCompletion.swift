import CommandLineTool
import FmsgCore

/// The candidates that depend on who one is: ids, people, attachments, profiles. They come from
/// files alone; the host is asked only by a process that nobody waits for.
package struct LiveCompletion: Sendable {
    /// Seconds after which the host is asked again.
    private static let freshness = 20.0

    private let runtime: Runtime
    /// The messages to propose where they are known already.
    private let known: RecentMessages?

    /// - Parameter known: the messages to propose; without it those of the account's cache.
    package init(runtime: Runtime, known: RecentMessages? = nil) {
        self.runtime = runtime
        self.known = known
    }

    package func candidates(
        _ kind: ValueKind, _ typed: String, _ line: CompletionLine
    ) -> [CompletionCandidate] {
        switch kind {
        case .messageReference:
            return messages(line) { !$0.isDraft }
        case .draftReference:
            return messages(line) { $0.isDraft && !$0.isReceived }
        case .address: return people(line)
        case .recipientOrText:
            return typed.isEmpty || typed.hasPrefix("@") ? people(line) : []
        case .attachmentName: return attachments(line)
        case .topic: return recent(line).topics.map { CompletionCandidate($0) }
        case .profile:
            return profiles.map {
                CompletionCandidate($0.name, "\($0.address ?? "") \($0.apiURL)")
            }
        case .url:
            let urls = profiles.map(\.apiURL)
            return Set(urls).sorted().map { CompletionCandidate($0) }
        case .fieldNames: return fieldNames(line)
        default: return []
        }
    }

    private var store: ProfileStore {
        ProfileStore(
            files: runtime.files, folder: Folders(runtime.environment, runtime.files).configuration)
    }

    private var profiles: [Profile] { (try? store.load().all) ?? [] }

    private func messages(
        _ line: CompletionLine, _ isWanted: (RecentMessages.Entry) -> Bool
    ) -> [CompletionCandidate] {
        recent(line).messages
            .filter { isWanted($0) && !line.operands.contains(String($0.id)) }
            .map { entry in
                let people = entry.people.joined(separator: ", ")
                let who = entry.isReceived ? people : "to \(people)"
                return CompletionCandidate(
                    String(entry.id), entry.topic.isEmpty ? who : "\(who)  \(entry.topic)")
            }
    }

    private func people(_ line: CompletionLine) -> [CompletionCandidate] {
        recent(line).people.filter { !line.operands.contains($0) }.map { CompletionCandidate($0) }
    }

    /// Those of the message that the line names.
    private func attachments(_ line: CompletionLine) -> [CompletionCandidate] {
        let references = zip(line.command?.operands ?? [], line.operands).filter {
            $0.0.kind == .messageReference || $0.0.kind == .draftReference
        }
        guard let word = references.first?.1, let reference = try? MessageReference(word),
            let message = recent(line).message(reference)
        else { return [] }
        return message.attachments.filter { !line.operands.contains($0) }
            .map { CompletionCandidate($0) }
    }

    private func fieldNames(_ line: CompletionLine) -> [CompletionCandidate] {
        guard
            let command = CommandTable.all.first(where: {
                $0.declaration.path == line.command?.path
            })
        else { return [] }
        let isJSON = line.isGiven(GlobalOptions.json) || line.isGiven(GlobalOptions.jsonLines)
        let names = isJSON || command.columns.isEmpty ? command.keys : command.columns
        return names.map { CompletionCandidate($0) }
    }

    /// What is known of the account that the line speaks of. What is old is asked for anew, for
    /// the next time.
    private func recent(_ line: CompletionLine) -> RecentMessages {
        if let known { return known }
        let resolver = AccountResolver(
            environment: runtime.environment, store: store,
            profileOption: line.value(of: GlobalOptions.profile),
            urlOption: line.value(of: GlobalOptions.apiURL),
            actAs: line.value(of: GlobalOptions.actAs))
        guard let account = try? resolver.account(),
            let cache = CompletionCache(for: account, runtime)
        else { return RecentMessages() }
        let recent = cache.load()
        let now = runtime.time.now
        let isFresh = recent.triedAt.map { (now - Self.freshness...now).contains($0) } ?? false
        if !isFresh { CompletionRefresh.start(for: line, runtime) }
        return recent
    }
}
