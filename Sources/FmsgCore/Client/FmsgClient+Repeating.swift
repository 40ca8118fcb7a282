extension FmsgClient {
    /// How often a request that may be repeated is made at the most.
    private static let maximumRequests = 3

    /// Makes a request that does the same however often it is made, again when its answer was lost
    /// or the host failed.
    func repeating<Value: Sendable>(
        _ request: () async throws(FmsgError) -> Value
    ) async throws(FmsgError) -> Value {
        var seconds = 0.2
        for _ in 1..<Self.maximumRequests {
            do throws(FmsgError) {
                return try await request()
            } catch {
                guard error.isLostAnswer || error.isRetryable else { throw error }
            }
            try await pause(seconds)
            seconds *= 2
        }
        return try await request()
    }
}
