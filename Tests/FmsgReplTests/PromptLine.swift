import CommandLineTool
import FmsgCommands
import FmsgRepl
import FmsgTransport
import TestSupport
import Testing

/// Lines that one user gives `fmsg repl` without a terminal: the real program in this process, over
/// the real transport.
struct PromptLine: Sendable {
    var environment: Environment

    init(_ host: TestHost, as user: String) {
        environment = [
            "FMSG_API_URL": host.url, "FMSG_API_KEY": host.key(user),
            "PATH": "\(BuiltProgram.folder):/usr/bin:/bin",
        ]
    }

    struct Run: Sendable {
        let exitCode: ExitCode
        let out: String
        let err: String
    }

    /// With `arguments`, and with `input` on standard input.
    func run(_ arguments: String..., input: String = "") async -> Run {
        let runtime = Runtime.forTesting(arguments, environment: environment, input: input)
        let exitCode = await Repl(runtime: runtime) { CurlTransport(settings: $0) }.run()
        return Run(
            exitCode: exitCode, out: runtime.standardOutput.contents,
            err: runtime.standardError.contents)
    }

    /// What the lines print, which must succeed.
    func output(_ lines: String) async throws -> String {
        let run = await run("-c", lines)
        try #require(run.exitCode == .done, "\(run.err)")
        return run.out
    }
}
