// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// What can stand in the place of the word that is being typed, by the declarations of all commands
/// and what is known of messages and people.
struct LineCompletion {
    /// What readline is to put into the line.
    struct Answer: Equatable {
        /// What all candidates begin with, written as the line needs it.
        var insertion: String
        /// Whether a blank can follow.
        var isWhole: Bool
        /// Several, to choose from; empty for a single one.
        var candidates: [CompletionCandidate]
        /// The same, as readline is to know them.
        var words: [String]
    }

    let parser: CommandLineParser
    let live: LiveCompletion
    let state: ReplState
    let files: any FileSystem
    let home: String?

    /// - Parameters:
    ///   - line: up to the cursor.
    ///   - start: where the part that is replaced begins, in bytes.
    func answer(_ line: String, start: Int) -> Answer? {
        let typed = LineScanner.typed(line, home: home)
        let insertion = WordInsertion(typed, line: line, start: start)
        let found = candidates(typed).filter { $0.word.utf8.starts(with: typed.word.utf8) }
        guard let first = found.first else { return nil }
        let quotes = found.contains { WordInsertion.needsQuotes($0.word) }
        if found.count == 1 {
            let isFolder = first.word.hasSuffix("/") || first.word.hasSuffix("=")
            return insertion.text(of: first.word, isClosed: !isFolder, quotes: quotes).map {
                Answer(insertion: $0, isWhole: !isFolder, candidates: [], words: [])
            }
        }
        let common = Self.commonBeginning(found.map(\.word))
        guard let text = insertion.text(of: common, isClosed: false, quotes: quotes) else {
            return nil
        }
        return Answer(
            insertion: text, isWhole: false, candidates: found, words: found.map(\.word))
    }

    private func candidates(_ typed: LineScanner.Typed) -> [CompletionCandidate] {
        switch typed.place {
        case .shell, .file: return fileNames(typed.word, onlyFolders: false)
        case .none: return []
        case .word: break
        }
        let words = typed.words + [typed.word]
        var found = candidates(words)
        // Beside another message, what follows the one that is open.
        if let open = state.open, let command = command(typed.words), command.path.count == 1,
            command.operands.first?.kind == .messageReference, command.operands.count > 1
        {
            let count = command.path.count
            let completed = words.prefix(count) + [String(open.message.id)] + words.dropFirst(count)
            found += candidates(Array(completed)).filter { !found.contains($0) }
        }
        return found
    }

    private func candidates(_ words: [String]) -> [CompletionCandidate] {
        let typed = words.last ?? ""
        let completion = parser.completion(of: words) { kind, typed, line in
            (kind == .messageReference || kind == .draftReference) && typed.hasPrefix("%")
                ? listed : live.candidates(kind, typed, line)
        }
        switch completion {
        case .words(let words): return words
        case .file: return valueNames(typed, onlyFolders: false)
        case .folder: return valueNames(typed, onlyFolders: true)
        case .external: return []
        }
    }

    /// File names as a word of a command, which may begin with an option.
    private func valueNames(_ typed: String, onlyFolders: Bool) -> [CompletionCandidate] {
        guard typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") else {
            return fileNames(typed, onlyFolders: onlyFolders)
        }
        let value = typed.index(after: equals)
        return fileNames(String(typed[value...]), onlyFolders: onlyFolders).map {
            CompletionCandidate(typed[..<value] + $0.word)
        }
    }

    /// The command whose name is whole.
    private func command(_ words: [String]) -> CommandDeclaration? {
        words.first.flatMap { parser.command([$0]) }
    }

    /// The numbers of the last listing.
    private var listed: [CompletionCandidate] {
        state.listed.enumerated().map { CompletionCandidate("%\($0 + 1)", "message \($1)") }
    }

    private func fileNames(_ typed: String, onlyFolders: Bool) -> [CompletionCandidate] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let start = slash.map { typed[typed.index(after: $0)...] } ?? typed[...]
        let names = (try? files.list(folder.isEmpty ? "." : folder)) ?? []
        return names.compactMap { name in
            // What is hidden is so until it is asked for.
            guard name.hasPrefix(start), !name.hasPrefix(".") || start.hasPrefix(".") else {
                return nil
            }
            let isFolder = (try? files.status(folder + name))??.kind == .folder
            guard isFolder || !onlyFolders else { return nil }
            return CompletionCandidate(folder + name + (isFolder ? "/" : ""))
        }
    }

    private static func commonBeginning(_ words: [String]) -> String {
        guard var common = words.first?.unicodeScalars.map({ $0 }) else { return "" }
        for word in words.dropFirst() {
            let scalars = word.unicodeScalars
            var count = 0
            for (left, right) in zip(common, scalars) {
                guard left == right else { break }
                count += 1
            }
            common = Array(common.prefix(count))
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: common)
        return String(view)
    }
}
