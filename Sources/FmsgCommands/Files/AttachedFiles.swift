import CommandLineTool
import FmsgCore
import Synchronization

/// The files of this machine that go with a message: open from the first, so that what cannot be
/// read is told before anything is requested.
struct AttachedFiles: Sendable {
    let attachments: [NewAttachment]
    private let meters: [ProgressMeter]

    /// - Throws: ``UsageError`` for two of one name and for a name that cannot be sent; what opening
    ///   a file throws.
    init(
        _ paths: [String], _ invocation: Invocation, in context: CommandContext
    ) throws {
        var attachments: [NewAttachment] = []
        var meters: [ProgressMeter] = []
        var pathOfName: [[UInt8]: String] = [:]
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if let other = pathOfName.updateValue(path, forKey: Array(name.utf8)) {
                throw invocation.usageError(
                    "\(DisplayText.escape(other)) and \(DisplayText.escape(path)) would have one name",
                    hint: "the second would replace the first")
            }
            let file = try context.runtime.files.open(path)
            let meter = context.meter(name, total: file.size)
            if let meter { meters.append(meter) }
            attachments.append(
                try NewAttachment(name, size: file.size) { Self.reader(of: file, meter) })
        }
        self.attachments = attachments
        self.meters = meters
    }

    /// The array for `--json`.
    var json: JSON {
        .array(
            attachments.map {
                .object([Field.filename: .string($0.filename), Field.size: .integer($0.size)])
            })
    }

    /// Takes away what shows how far they are.
    func endMeters() {
        for meter in meters { meter.end() }
    }

    private static func reader(
        of file: SourceFile, _ meter: ProgressMeter?
    ) -> @Sendable (Int) throws -> [UInt8] {
        let done = Mutex<Int64>(0)
        return { atMost in
            try done.withLock { done in
                guard done < file.size else {
                    // Before the end of the form goes out: what was changed is never sent.
                    try file.checkUnchanged()
                    meter?.end()
                    return []
                }
                let piece = try file.read(
                    atMost: Int(min(Int64(atMost), file.size - done)), at: done)
                guard !piece.isEmpty else {
                    throw FileError(operation: "read", path: file.path, reason: .changed)
                }
                done += Int64(piece.count)
                meter?.reach(done)
                return piece
            }
        }
    }
}
