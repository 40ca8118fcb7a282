import FmsgCore
import Synchronization
import Testing

@testable import FmsgTransport

/// The error of a request that has to fail.
func failure<Value>(
    _ operation: () async throws(TransportError) -> Value,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> TransportError {
    do throws(TransportError) {
        _ = try await operation()
    } catch {
        return error
    }
    Issue.record("succeeded", sourceLocation: sourceLocation)
    throw CancellationError()
}

/// A transport for one test.
func transport(
    _ adjust: (inout TransportSettings) -> Void = { _ in }
) -> CurlTransport {
    var settings = TransportSettings(connectTimeout: 10, idleTimeout: 10)
    adjust(&settings)
    return CurlTransport(settings: settings)
}

func get(_ url: String, headers: [Header] = []) -> TransportRequest {
    TransportRequest(method: "GET", url: url, headers: headers)
}

/// Something that happens once, and that any number of threads and tasks can wait for.
final class Happening: Sendable {
    private let signal = AsyncStream<Void>.makeStream()

    func happen() { signal.continuation.finish() }
    func wait() async { for await _ in signal.stream {} }
}

/// A number that threads count up.
final class Counter: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    @discardableResult func add(_ amount: Int) -> Int {
        state.withLock { value in
            value += amount
            return value
        }
    }
}
