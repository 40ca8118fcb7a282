import CSystem
import Synchronization

/// A signal that asks a program to end.
public enum Signal: Sendable, Equatable {
    case interrupt
    case terminate
    case hangUp

    public var exitCode: ExitCode {
        switch self {
        case .interrupt: .interrupted
        case .terminate: .terminated
        case .hangUp: .hungUp
        }
    }
}

/// Where signals come from. Nothing is caught before ``cancelling(_:)`` is called.
public struct Signals: Sendable {
    /// Calls the receiver for each signal until the returned closure is called.
    public typealias Source =
        @Sendable (_ receive: @escaping @Sendable (Signal) -> Void) -> @Sendable () -> Void

    private let source: Source

    public init(source: @escaping Source) { self.source = source }

    /// The signals of this process.
    public static var ofProcess: Signals { Signals { ProcessSignals.shared.subscribe($0) } }

    /// No signals at all.
    public static var none: Signals { Signals { _ in {} } }

    /// Runs `operation`; SIGINT, SIGTERM and SIGHUP cancel its task, and it is still waited for,
    /// so that it can leave things in order. A second SIGINT ends the process at once.
    ///
    /// - Returns: what the operation gave, and the first signal that came meanwhile: its
    ///   ``Signal/exitCode`` is the program's, unless the operation knows better.
    public func cancelling<Result: Sendable>(
        _ operation: @escaping @Sendable () async -> Result
    ) async -> (result: Result, signal: Signal?) {
        let cancellation = Cancellation()
        let unsubscribe = source { cancellation.note($0) }
        defer { unsubscribe() }
        let task = Task { await operation() }
        cancellation.arm { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return (result, cancellation.signal)
    }
}

/// Ties the first signal to the task that it cancels, whichever of the two is there first.
private final class Cancellation: Sendable {
    private let state = Mutex<(signal: Signal?, cancel: (@Sendable () -> Void)?)>((nil, nil))

    var signal: Signal? { state.withLock { $0.signal } }

    func note(_ signal: Signal) {
        let cancel = state.withLock { state in
            state.signal = state.signal ?? signal
            return state.cancel
        }
        cancel?()
    }

    func arm(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.signal != nil
        }
        if isLate { cancel() }
    }
}
