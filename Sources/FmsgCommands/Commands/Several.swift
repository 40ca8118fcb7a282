import CommandLineTool
import FmsgCore

/// One thing done for each of several messages, over a few kept connections.
enum Several {
    /// How many are under way at once.
    static let width = 8

    /// The outcome for each item, in their order.
    static func perform<Item: Sendable, Value: Sendable>(
        _ items: [Item],
        _ operation: @escaping @Sendable (Item) async throws(FmsgError) -> Value
    ) async -> [Result<Value, FmsgError>] {
        await withTaskGroup(of: (Int, Result<Value, FmsgError>).self) { group in
            var outcomes = items.map { _ in Result<Value, FmsgError>.failure(.cancelled) }
            var next = 0
            func startOne() {
                guard next < items.count else { return }
                let index = next
                next += 1
                group.addTask {
                    // Not in one expression with the index: Swift 6.3 loses it there under -O.
                    let outcome: Result<Value, FmsgError>
                    do throws(FmsgError) {
                        outcome = .success(try await operation(items[index]))
                    } catch {
                        outcome = .failure(error)
                    }
                    return (index, outcome)
                }
            }
            for _ in 0..<width { startOne() }
            for await (index, outcome) in group {
                outcomes[index] = outcome
                startOne()
            }
            return outcomes
        }
    }

    /// Reports each failure, and throws what they amount to: the one error of a single item, or
    /// that some of several failed; all of one kind count as that kind.
    /// - Parameter verb: what was not done, as in "2 of 3 were not marked".
    static func check<Value>(
        _ outcomes: [Result<Value, FmsgError>], of items: [MessageReference], verb: String,
        in context: CommandContext
    ) throws {
        let failures = zip(items, outcomes).compactMap { item, outcome in
            if case .failure(let error) = outcome { (item: item, error: error) } else { nil }
        }
        guard let first = failures.first?.error else { return }
        if items.count == 1 { throw first }
        for failure in failures { context.report(failure.error, of: failure.item) }
        let isOneKind =
            failures.count == items.count && Set(failures.map(\.error.category)).count == 1
        throw CommandFailure(
            "\(failures.count) of \(items.count) were not \(verb)",
            exitCode: isOneKind ? ErrorReport(first).exitCode : .someFailed)
    }
}
