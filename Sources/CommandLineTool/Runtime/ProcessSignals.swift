import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The signals of this process, handed to whoever subscribed.
///
/// A C handler writes the signal's number into a pipe; a thread, started at the first
/// subscription, reads it. Without subscribers the signals have their default effect.
final class ProcessSignals: Sendable {
    typealias Receiver = @Sendable (Signal) -> Void

    static let shared = ProcessSignals()

    private struct State {
        var receivers: [Int: Receiver] = [:]
        var nextKey = 0
        var pipe: Pipe?
    }

    private let state = Mutex(State())

    func subscribe(_ receive: @escaping Receiver) -> @Sendable () -> Void {
        let key = state.withLock { state in
            let key = state.nextKey
            state.nextKey += 1
            state.receivers[key] = receive
            if state.pipe == nil, let pipe = Pipe() {
                state.pipe = pipe
                startThread { self.deliver(from: pipe) }
            }
            if state.receivers.count == 1, let pipe = state.pipe {
                csystem_catch_signals(pipe.writeEnd)
            }
            return key
        }
        return {
            self.state.withLock { state in
                state.receivers[key] = nil
                if state.receivers.isEmpty { csystem_release_signals() }
            }
        }
    }

    /// Never returns: the pipe is kept open for the life of the process.
    private func deliver(from pipe: Pipe) {
        while let number = try? readBytes(from: pipe.readEnd, atMost: 1).first {
            let signal: Signal? =
                switch Int32(number) {
                case SIGINT: .interrupt
                case SIGTERM: .terminate
                case SIGHUP: .hangUp
                default: nil
                }
            guard let signal else { continue }
            for receive in state.withLock({ Array($0.receivers.values) }) { receive(signal) }
        }
    }
}
