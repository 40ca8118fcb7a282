import CommandLineTool

/// A text that a person has written, in a file of theirs alone until it has arrived: nothing that
/// goes wrong can lose it.
struct KeptText: Sendable {
    let path: String
    private let files: any FileSystem

    /// Makes the file in the state folder, or where there is none among the temporary files.
    init(_ text: String, in context: CommandContext) throws(FileError) {
        let environment = context.runtime.environment
        files = context.runtime.files
        let state = Folders(environment, files).state.map { "\($0)/unsent" }
        if let state { try files.createFolder(state) }
        path = "\(state ?? environment["TMPDIR"] ?? "/tmp")/fmsg-\(context.randomName).txt"
        try replace(with: text)
    }

    func replace(with text: String) throws(FileError) {
        try files.writeAtomically(path, Array(text.utf8), mode: 0o600)
    }

    func read(limit: Int) throws(FileError) -> [UInt8] { try files.read(path, limit: limit) }

    /// It has arrived, or there is nothing in it.
    func discard() {
        // One that cannot be removed does no harm.
        try? files.remove(path)
    }

    /// Says where it is, since it has not arrived.
    /// - Parameter isPlain: whether it is the text alone, without headings.
    func tell(isPlain: Bool = true, in context: CommandContext) {
        // An editor may have removed it.
        guard (try? files.isTaken(path)) != false else { return }
        context.say("the text is kept in \(path)\(isPlain ? "; -F reads it again" : "")")
    }
}
