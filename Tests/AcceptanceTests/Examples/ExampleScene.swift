import CommandLineTool
import FmsgCore
import FmsgHost
import FmsgTransport
import Glibc
import Synchronization
import TestSupport

@testable import FmsgCommands

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where the examples of the help, the manual and the README are run: a host and a folder with all
/// that they speak of. Alice is at the keyboard.
///
/// Message 42 and the newest one, 43, are from Bob, to Alice and Carol. For the commands of drafts
/// 42 is a draft of Alice's instead. There are the users bob, carol, dave and erin, whom the
/// directory knows by these names.
final class ExampleScene: Sendable {
    let host: TestHost
    /// What is run before an example.
    let preparation: String
    private let sockets: Sockets

    /// Tells whoever listens when a socket of events is opened.
    private final class Sockets: Sendable {
        private let listener = Mutex<(@Sendable () -> Void)?>(nil)

        func listen(_ listener: (@Sendable () -> Void)?) {
            self.listener.withLock { $0 = listener }
        }

        func isOpened() { listener.withLock { $0 }?() }
    }

    /// - Parameter command: the name of the command whose examples are run: `draft send`.
    init(for command: String) async throws {
        let sockets = Sockets()
        self.sockets = sockets
        host = try TestHost(users: ["alice", "bob", "carol", "dave", "erin"]) {
            $0.onRequest = { _, path in if path == "/fmsg/ws" { sockets.isOpened() } }
        }
        preparation = Self.needs[command] ?? Self.needs[Self.group(command)] ?? ""
        try await send(isOfDrafts: Self.group(command) == "draft")
    }

    deinit { host.stop() }

    /// Whether the examples of a command need more than those of others.
    static func hasNeeds(_ command: String) -> Bool {
        needs[command] != nil || needs[group(command)] != nil || group(command) == "draft"
    }

    private static func group(_ command: String) -> String {
        String(command.prefix { $0 != " " })
    }

    /// Calls `listener` when whoever waits for messages waits; nil calls nobody.
    func onSocket(_ listener: (@Sendable () -> Void)?) { sockets.listen(listener) }

    private func send(isOfDrafts: Bool) async throws {
        // Carol's drafts take the numbers up to 41.
        let carol = try client("carol")
        for _ in 1...41 {
            _ = try await carol.createDraft(NewMessage(to: ["@dave@example.com"], text: "x"))
        }
        if isOfDrafts {
            let text = NewMessage(to: ["@bob@example.com"], topic: "Plans", text: "Not yet.")
            _ = try await client("alice").createDraft(text)
        }
        // Files go along as soon as there is a way to send them.
        let send = CommandTable.all.first { $0.declaration.name == "send" }
        let takesFiles = send?.declaration.options.contains { $0.long == "attach" } ?? false
        let files = takesFiles ? "-a report.pdf -a data.tar.gz" : ""
        for number in 1...(isOfDrafts ? 1 : 2) {
            let sent = try await Shell(host, as: "bob").run(
                """
                echo pdf >report.pdf; tar czf data.tar.gz report.pdf
                fmsg send @alice@example.com @carol@example.com -t "Topic \(number)" \
                    "Text \(number)" --important \(files)
                """)
            guard sent.status == 0 else { throw BuiltProgram.Failure.spawn }
        }
    }

    private func client(_ user: String) throws -> FmsgClient {
        FmsgClient(
            host: try HostURL(host.url), credential: .apiKey(host.key(user)),
            transport: CurlTransport(settings: TransportSettings()),
            clock: FmsgClock(now: { 1_796_000_000 }, uptime: { 0 }, sleep: { _ in }))
    }

    /// A message for whoever waits for one.
    func sendOneMore() async throws {
        _ = try await Shell(host, as: "bob").run("fmsg send @alice@example.com now -t Now")
    }

    /// Fills a new home folder with the files that examples read.
    /// - Returns: the environment of Alice in it, with programs that stand for those of other
    ///   people.
    func furnish(_ home: String) throws -> [String: String] {
        let files = LocalFileSystem()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(home)/\(name)"))
        }
        for folder in ["Documents", "Downloads", "here"] {
            try files.createFolder("\(home)/\(folder)")
        }
        let names = [
            "report.md", "plan.md", "answer.txt", "may.csv", "june.csv", "notes.txt", "budget.ods",
        ]
        for name in names {
            try write("here/\(name)", "text\n")
        }
        try write("here/key", host.key("alice"))
        symlink("\(Self.programs)/answer.sh", "\(home)/here/answer.sh")
        let users = ["bob", "carol", "dave", "erin"].map { "\"\($0)\":\"@\($0)@example.com\"" }
        try write("directory.json", "{\(users.joined(separator: ","))}")
        return [
            "FMSG_API_URL": host.url, "FMSG_API_KEY": host.key("alice"),
            "FMSG_API_KEY_BOB": host.key("bob"), "FMSG_API_KEY_CAROL": host.key("carol"),
            "HOST_DATA": host.dataFolder, "HOME": home, "TMPDIR": home,
            "FMSG_DIRECTORY": home + "/directory.json", "EDITOR": "edit",
            "PATH": "\(Self.programs):\(BuiltProgram.folder):/usr/local/bin:/usr/bin:/bin",
        ]
    }

    private static let programs = "\(ReferenceTests.package)/Tests/AcceptanceTests/Examples/bin"

    /// What else the examples of a command need, by its name or the first word of that. An example
    /// that fails for want of something gets it here.
    private static let needs: [String: String] = [
        "logout": work, "profile": work,
        "sub-account": ownerToken
            + """
            fmsg sub-account create bot --allow 0.0.0.0/0 >/dev/null 2>&1
            fmsg sub-account create ci --allow 0.0.0.0/0 >/dev/null 2>&1

            """,
        "sub-account create": ownerToken
            + """
            for name in bot ci; do fmsg sub-account delete $name >/dev/null 2>&1; done

            """,
        "token": ownerToken, "profile add": "",
        "draft detach": "fmsg draft attach 42 may.csv >/dev/null 2>&1\n",
        "user list": "fmsg-host user add @alice@example.com >/dev/null\n",
    ]

    private static let work = "fmsg login --quiet --profile work\n"

    /// The token of an identity provider, which the embedded host makes for its own data.
    private static let ownerToken = """
        mkdir -p "$HOME/.local/share"; ln -sfn "$HOST_DATA" "$HOME/.local/share/fmsg-host"
        FMSG_TOKEN=$(fmsg-host token @alice@example.com); export FMSG_TOKEN

        """
}
