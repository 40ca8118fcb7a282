import CSystem
import CommandLineTool
import FmsgHost
import Glibc
import TestSupport
import Testing

/// A person at a terminal in which `fmsg repl` runs: the built program, in a session of its own, on
/// a real pseudo-terminal.
final class ReplTerminal {
    private let pid: pid_t
    private let controller: Int32
    private let input: ByteInput
    private let folder: TemporaryFolder
    private var isClosed = false
    private var status: Int32?
    private(set) var screen: TerminalScreen
    /// All that was sent to the terminal.
    private(set) var sent: [UInt8] = []

    /// Where the program keeps what lasts.
    let stateFolder: String

    /// - Parameters:
    ///   - environment: besides what names host, folders and terminal.
    ///   - shell: a command that is run in place of the prompt.
    init(
        url: String, key: String?, environment: [String: String] = [:], columns: Int = 80,
        arguments: [String] = [], shell: String? = nil, state: String? = nil
    ) throws {
        folder = try TemporaryFolder(prefix: "fmsg-test-terminal")
        stateFolder = state ?? folder.path + "/state"
        var ends: (Int32, Int32) = (-1, -1)
        guard csystem_open_terminal(&ends.0, &ends.1) == 0 else { throw BuiltProgram.Failure.spawn }
        controller = ends.0
        screen = TerminalScreen(columns: columns)
        input = ByteInput(descriptor: controller, name: "the terminal")
        Self.resize(controller, columns)
        var name = [CChar](repeating: 0, count: 128)
        ttyname_r(ends.1, &name, name.count)
        var variables = [
            "FMSG_API_URL": url, "TERM": "xterm", "LANG": "C.UTF-8",
            "PATH": "\(BuiltProgram.folder):/usr/bin:/bin", "HOME": folder.path,
            "FMSG_STATE_DIR": stateFolder, "INPUTRC": "/dev/null", "TMPDIR": folder.path,
        ]
        variables["FMSG_API_KEY"] = key
        variables.merge(environment) { $1 }
        let command =
            shell.map { ["/bin/sh", "-i", "-c", $0] }
            ?? ["\(BuiltProgram.folder)/fmsg-repl"] + arguments
        pid = try Self.spawn(command, variables, on: name)
        close(ends.1)
    }

    convenience init(
        _ host: TestHost, as user: String, environment: [String: String] = [:], columns: Int = 80,
        arguments: [String] = [], shell: String? = nil, state: String? = nil
    ) throws {
        try self.init(
            url: host.url, key: host.key(user), environment: environment, columns: columns,
            arguments: arguments, shell: shell, state: state)
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
        }
        hangUp()
        folder.remove()
    }

    /// Starts a program as the leader of a session whose terminal this is.
    private static func spawn(
        _ command: [String], _ environment: [String: String], on terminal: [CChar]
    ) throws -> pid_t {
        let words = command.map { strdup($0) } + [nil]
        let entries = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in words + entries { free(string) } }
        var pid: pid_t = 0
        guard csystem_spawn_session(command[0], words, entries, terminal, &pid) == 0 else {
            throw BuiltProgram.Failure.spawn
        }
        return pid
    }

    // MARK: What the person does

    func type(_ text: String) throws { try type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) throws {
        try ByteOutput(descriptor: controller, name: "the terminal", capacity: 0).write(bytes)
    }

    /// Types a line once there is a prompt for it, and waits for the prompt after it.
    func enter(_ line: String) async throws {
        let row = screen.cursor.row
        try type(line + "\r")
        try await waitForPrompt(below: row)
    }

    func resize(columns: Int) {
        screen.resize(columns: columns)
        Self.resize(controller, columns)
    }

    private static func resize(_ terminal: Int32, _ columns: Int) {
        var size = winsize(
            ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Closes the window.
    func hangUp() {
        if !isClosed { close(controller) }
        isClosed = true
    }

    // MARK: What the person sees

    /// Waits until the screen is as wanted.
    func wait(until isWanted: (TerminalScreen) -> Bool) async throws {
        while !isWanted(screen) {
            guard let bytes = await read(), !bytes.isEmpty else {
                throw Unexpected(description: screen.lines.joined(separator: "\n"))
            }
            sent += bytes
            screen.show(bytes)
        }
    }

    /// What was on the screen when something else was waited for.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// Far longer than anything takes: after so many seconds a test has failed, and says how.
    private static let patience = 40.0

    /// What is sent next; nil when nothing is, or all has ended.
    private func read() async -> [UInt8]? {
        await withTaskGroup(of: [UInt8]?.self) { [input] group in
            group.addTask { try? await input.read(atMost: 1 << 16) }
            group.addTask {
                // Not to wait for anything: to fail where it never comes.
                try? await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Waits until a line of the screen holds a text.
    func wait(for text: String) async throws {
        try await wait { $0.lines.contains { $0.contains(text) } }
    }

    /// Waits for an empty prompt of somebody who is connected.
    /// - Parameter row: it stands further down than that.
    func waitForPrompt(below row: Int = -1) async throws {
        try await wait { screen in
            // A narrow window has no room for the name.
            (screen.line.hasPrefix("@") || row >= 0) && screen.cursor.row > row
                && screen.line.hasSuffix("> ") && !screen.line.contains("connecting")
        }
    }

    /// Reads what is sent until the program has ended, and gives its exit status; 128 + N when
    /// signal N ended it.
    func exitStatus() async -> Int32 {
        while !isClosed, let bytes = await read(), !bytes.isEmpty {
            sent += bytes
            screen.show(bytes)
        }
        if let status { return status }
        var result: Int32 = 0
        while waitpid(pid, &result, 0) < 0, errno == EINTR {}
        let signal = result & 0x7F
        let status = signal == 0 ? (result >> 8) & 0xFF : 128 + signal
        self.status = status
        return status
    }
}
