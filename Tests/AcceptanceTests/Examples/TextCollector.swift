import Synchronization

/// Lines that a thread reads and a test looks at.
final class TextCollector: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
