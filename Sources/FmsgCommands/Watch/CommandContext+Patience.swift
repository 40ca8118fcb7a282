import CommandLineTool
import FmsgCore

extension CommandContext {
    /// How often a host that is there may fail at one thing.
    private static let maximumFailures = 7

    /// What `operation` gives, tried again for as long as the host cannot be reached, and a few
    /// times where it fails: what an event needs must not be lost with one answer.
    /// - Parameter what: what is being done, as in "message 42".
    /// - Throws: ``FmsgError``: the last one, or ``FmsgError/cancelled``.
    func patiently<Value: Sendable>(
        _ what: String, _ operation: @Sendable () async throws(FmsgError) -> Value
    ) async throws(FmsgError) -> Value {
        let backoff = Backoff()
        var failures = 0
        while true {
            let error: FmsgError
            do throws(FmsgError) {
                return try await operation()
            } catch let failure {
                error = failure
            }
            guard error.isRetryable else { throw error }
            if case .refused = error, failures >= Self.maximumFailures { throw error }
            if failures == 0 { say("\(what): \(error.message); trying again") }
            do {
                try await runtime.time.sleep(backoff.pause(after: failures, error))
            } catch {
                throw .cancelled
            }
            failures += 1
        }
    }
}
