import CSystem
import CommandLineTool
import FmsgHost
import Glibc
import TestSupport

@testable import FmsgCommands

/// One example, run as it stands in a shell.
struct ExampleRun {
    let line: String
    let scene: ExampleScene

    /// What became of it.
    struct Outcome {
        /// The exit status of the shell; -1 when it was no example at all.
        let status: Int32
        /// All that it printed, on whichever stream.
        let output: String
        /// Whether it was stopped, as one that would go on is.
        let wasStopped: Bool

        /// A host that is stopped has done what it was asked for.
        var isAsItShouldBe: Bool { status == 0 || (wasStopped && status == 128 + SIGTERM) }
    }

    private enum Event: Sendable {
        /// A socket was opened: whoever waits for messages waits now.
        case isWaiting
        /// A host serves.
        case isServing
        case ended(Int32)
    }

    /// Runs it to its end; what goes on for ever is stopped once it does what it is for.
    func run() async throws -> Outcome {
        let call = ExampleCall(line)
        let isEndless = call.map(\.isEndless) ?? false
        let output = TextCollector()
        let home = try TemporaryFolder(prefix: "fmsg-test-example")
        defer { home.remove() }
        let environment = try scene.furnish(home.path)
        let shell = try BuiltProgram(
            "/bin/bash", ["-c", script(call)], environment: environment)
        defer { scene.onSocket(nil) }
        var wasStopped = false
        var sender: Task<Void, any Error>?
        defer { sender?.cancel() }
        for await event in events(of: shell, output, isHostRun: call?.isHostRun ?? false) {
            switch event {
            case .ended(let status):
                return Outcome(status: status, output: output.text, wasStopped: wasStopped)
            case .isWaiting, .isServing:
                guard !wasStopped else { continue }
                if isEndless {
                    wasStopped = true
                    stop(below: shell.pid)
                } else {
                    sender = sender ?? sendingMessages()
                }
            }
        }
        return Outcome(status: -1, output: output.text, wasStopped: wasStopped)
    }

    /// Sends one message after the other: what came before the command had looked at the inbox is
    /// nothing new to it.
    private func sendingMessages() -> Task<Void, any Error> {
        Task { [scene] in
            while true {
                try await scene.sendOneMore()
                // Nothing tells when a command has looked: the pace only spares the host.
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// The line in a folder of its own, with the host of the scene for the one that it names.
    private func script(_ call: ExampleCall?) -> String {
        var line = line.replacing("https://fmsg.example.com", with: scene.host.url)
        // What it writes is not there before.
        let written = line.split(separator: " ").adjacent(where: { $0 == ">" || $0 == "-o" })
        if call?.isHostRun == true { line += " --port 0" }
        if call?.opensEditor == true { line = "script -qec '\(line)' /dev/null" }
        if call?.opensShell == true {
            line = "script -qec 'SHELL=/bin/true \(line)' /dev/null"
        }
        return """
            exec 2>&1; set -o pipefail
            cd ~/here || exit 99
            \(scene.preparation)
            rm -f \(written.joined(separator: " "))
            \(line)
            """
    }

    private func events(
        of shell: BuiltProgram, _ output: TextCollector, isHostRun: Bool
    ) -> AsyncStream<Event> {
        let (events, happened) = AsyncStream.makeStream(of: Event.self)
        Task {
            while let line = try? await shell.readLine() {
                output.append(line)
                if isHostRun, line.contains("http://127.0.0.1:") { happened.yield(.isServing) }
            }
            happened.yield(.ended(await shell.wait()))
            happened.finish()
        }
        scene.onSocket { happened.yield(.isWaiting) }
        return events
    }

    /// Ends the programs of the suite among the descendants of a process.
    private func stop(below pid: pid_t) {
        let name = executable(of: pid)
        guard name.hasSuffix("/fmsg") || name.hasSuffix("/fmsg-host") else {
            for child in children(of: pid) { stop(below: child) }
            return
        }
        kill(pid, SIGTERM)
    }

    private func executable(of pid: pid_t) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count)
        return String(
            decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func children(of pid: pid_t) -> [pid_t] {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let bytes = (try? LocalFileSystem().read(path, limit: 4096)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
}

/// The first call of `fmsg` or `fmsg-host` in a line.
struct ExampleCall {
    let invocation: Invocation
    let isOfHost: Bool

    /// Nil when there is none, or it asks for help or the version.
    init?(_ line: String) {
        let words = Self.words(line)
        guard let start = words.firstIndex(where: { $0 == "fmsg" || $0 == "fmsg-host" }) else {
            return nil
        }
        var call = words[(start + 1)...].prefix { $0 != "|" }
        isOfHost = words[start] == "fmsg-host" || call.first == "host"
        if words[start] == "fmsg", isOfHost { call = call.dropFirst() }
        let parser = isOfHost ? HostProgram.parser : FmsgProgram.parser
        guard case .run(let invocation) = try? parser.parse(Array(call)) else { return nil }
        self.invocation = invocation
    }

    /// Whether it goes on until it is stopped.
    var isEndless: Bool {
        guard let endings = invocation.command.endings else { return false }
        return !invocation.occurrences.contains { endings.contains($0.long) }
    }

    var isHostRun: Bool { isOfHost && invocation.command.name == "run" }

    var opensShell: Bool {
        isOfHost && invocation.command.name == "demo"
            && (try? invocation[DemoOperands.command])?.isEmpty == true
    }

    /// Whether a person at a terminal is to write something.
    var opensEditor: Bool {
        ["draft create", "draft edit"].contains(invocation.command.name)
            && !invocation.occurrences.contains { ["message", "file", "unset"].contains($0.long) }
    }

    private enum DemoOperands {
        static let command = Operand.repeated("COMMAND", .text(), "x")
    }

    /// The words of a line of shell, quotes taken off; what parts commands is `|`.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case _ where quote != nil: word?.append(character)
            case "'", "\"":
                quote = character
                word = word ?? ""
            case " ", "(", ")":
                if let word { words.append(word) }
                word = nil
            case "|", ";", "&", ">", "<":
                if let word { words.append(word) }
                words.append("|")
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

extension Collection where Element == Substring {
    /// The words that come right after others.
    fileprivate func adjacent(where isBefore: (Element) -> Bool) -> [Element] {
        zip(self, dropFirst()).filter { isBefore($0.0) }.map(\.1)
    }
}
