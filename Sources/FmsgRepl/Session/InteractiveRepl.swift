// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// The prompt on a terminal.
struct InteractiveRepl {
    init(_ session: ReplSession, _ invocation: Invocation) {}

    func run() async throws -> ExitCode {
        throw CommandFailure("there is no prompt yet", hint: "give the commands with -c")
    }
}
