// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// `notices`: what is announced above the prompt.
enum NoticesCommand: SessionCommand {
    static let mode = Operand.optional(
        "WHICH", .choice(NoticeBoard.Mode.self, "WHICH"), "Which messages to announce")
    static let bell = Option.flag("bell", "Ring the terminal's bell for each notice")
    static let noBell = Option.flag("no-bell", "Ring no bell")

    static let declaration = CommandDeclaration(
        "notices", group: .live, summary: "Choose what is announced above the prompt",
        description: """
            Without WHICH it tells what is chosen. With mentions only those messages are announced \
            that name your address, or the part before the domain, in their topic or text.
            """,
        options: [bell, noBell], operands: [mode],
        examples: [
            Example("notices mentions", "At the prompt of fmsg repl: only what names you")
        ])

    static func run(
        _ invocation: Invocation, in context: CommandContext, of session: ReplSession
    ) async throws -> ExitCode {
        guard !invocation[bell] || !invocation[noBell] else {
            throw invocation.usageError("--bell and --no-bell exclude each other")
        }
        let mode = try invocation[mode]
        let isBellGiven = invocation[bell] || invocation[noBell]
        session.store.update { state in
            if let mode { state.notices.mode = mode }
            if isBellGiven { state.notices.ringsBell = invocation[bell] }
        }
        guard mode == nil, !isBellGiven else { return .done }
        let board = session.store.read(\.notices)
        try context.output.line(board.mode.rawValue + (board.ringsBell ? ", with a bell" : ""))
        return .done
    }
}
