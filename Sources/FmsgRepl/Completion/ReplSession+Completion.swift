// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

extension ReplSession {
    /// Lets the prompt complete words by the declarations of all commands here.
    func installCompletion() {
        let parser = FmsgProgram.parser(of: commands.map(\.declaration))
        PromptCompletion.install { [runtime, store] line, start in
            let state = store.state
            return LineCompletion(
                parser: parser, live: LiveCompletion(runtime: runtime, known: state.recent),
                state: state, files: runtime.files, home: runtime.environment["HOME"]
            ).answer(line, start: start)
        } show: { [runtime] candidates in
            let list = CandidateList(
                columns: runtime.terminal.columns,
                style: .decide(.auto, runtime.environment, isTerminal: true))
            // A terminal that is gone is told of by its input.
            try? runtime.standardOutput.write(list.lines(candidates).map { $0 + "\n" }.joined())
            try? runtime.standardOutput.flush()
        }
    }
}
