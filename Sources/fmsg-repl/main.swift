// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgRepl
import FmsgTransport

// Lines in, exit code out. The one transport is chosen here, and made at the first request.
let exitCode: ExitCode
do {
    let repl = Repl(runtime: try Runtime.ofProcess()) { CurlTransport(settings: $0) }
    exitCode = MainThreadExecutor.run { await repl.run() }
} catch {
    exitCode = FmsgProgram.refuse(error)
}
exitCode.exit()
