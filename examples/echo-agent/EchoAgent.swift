// An agent in a few lines over FmsgCore: it answers each message with its own words.
//
//     FMSG_API_URL=https://fmsg.example.com FMSG_API_KEY=… swift run echo-agent
//
// It is a sketch of the loop: killed between an answer and the mark, it would answer that message
// again. `fmsg agent` is what keeps a ledger against that.
import FmsgCore
import FmsgTransport
import Glibc

@main
enum EchoAgent {
    /// Agents talk to agents: after so many answers of its own in a thread it is silent.
    static let maximumReplies = 3

    static func main() async throws {
        guard let url = setting("FMSG_API_URL"), let key = setting("FMSG_API_KEY") else {
            print("echo-agent: set FMSG_API_URL and FMSG_API_KEY")
            exit(64)
        }
        let client = FmsgClient(
            host: try HostURL(url), credential: .apiKey(key),
            transport: CurlTransport(settings: TransportSettings(userAgent: "echo-agent")),
            clock: .system)
        for try await event in client.events(EventOptions(initial: .unread)) {
            guard case .newMessage(let message) = event else { continue }
            if try await isDue(message, client) {
                let text = try await client.withBodyOnceReadable(message).wholeText ?? message.type
                let answer = try await client.replyAll(to: message, text: "You said: \(text)")
                print("answered \(message.id) with \(answer.id)")
                fflush(nil)
            }
            _ = try await client.markRead(message.id)
        }
    }

    static func isDue(_ message: FmsgMessage, _ client: FmsgClient) async throws -> Bool {
        let me = try await client.whoami().address
        guard !message.isFrom(me), !message.isReaction, message.acceptsReplies else { return false }
        let lineage = try await client.thread(.id(message.id)).visibleMessages
        return lineage.count { $0.isFrom(me) } < maximumReplies
    }

    static func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension FmsgClock {
    static var system: FmsgClock {
        let start = ContinuousClock.now
        return FmsgClock(
            now: { Double(time(nil)) },
            uptime: { (ContinuousClock.now - start) / .seconds(1) },
            sleep: { try await Task.sleep(for: .seconds($0)) })
    }
}
