import CommandLineTool
import FmsgCommands
import FmsgTransport

// Arguments in, exit code out. The one transport is chosen here, and made at the first request.
let exitCode: ExitCode
do {
    let program = FmsgProgram(
        runtime: try Runtime.ofProcess(), transportVersion: { CurlLibrary.version },
        makeTransport: { CurlTransport(settings: $0) })
    exitCode = MainThreadExecutor.run { await program.run() }
} catch {
    exitCode = FmsgProgram.refuse(error)
}
exitCode.exit()
