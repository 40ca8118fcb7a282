// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands
import FmsgCore

/// The history of one identity on disk (0600). Two prompts of one identity add to each other's.
struct HistoryFile: Sendable {
    /// Far above what ``History/limit`` lines take, in bytes.
    private static let limit = 16 << 20

    private let files: any FileSystem
    private let folder: String
    private let path: String

    /// Nil where there is no place for it.
    init?(_ runtime: Runtime, host: HostURL, address: String) {
        guard let folder = Folders(runtime.environment, runtime.files).state else { return nil }
        files = runtime.files
        self.folder = folder
        path = "\(folder)/\(StateFile.name("repl", host: host, address: address, "history"))"
    }

    /// - Throws: ``FileError`` when it cannot be read; one that is not there is empty.
    func load() throws(FileError) -> History {
        guard try files.status(path) != nil else { return History() }
        return History(bytes: try files.read(path, limit: Self.limit))
    }

    /// Adds lines to what the file holds by now.
    func add(_ history: History) throws(FileError) {
        guard !history.lines.isEmpty else { return }
        try files.createFolder(folder)
        var all = try load()
        all.add(history)
        try files.writeAtomically(path, all.bytes, mode: 0o600)
    }
}
