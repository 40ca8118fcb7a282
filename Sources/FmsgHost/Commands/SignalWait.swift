#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that ask a program to end, taken by waiting for them: none interrupts anything,
/// so whatever has to be tidied up is.
struct SignalWait: Sendable {
    /// What a wait brought.
    enum Event: Equatable {
        /// A child has changed its state.
        case child
        /// A signal. One from the terminal has reached the whole foreground process group.
        case end(Int32, isFromTerminal: Bool)
    }

    private let awaited: sigset_t

    /// Blocks the signals for this thread and all that it starts later. A signal that is ignored
    /// stays so.
    init() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !Self.isIgnored(signal) {
            sigaddset(&set, signal)
        }
        sigaddset(&set, SIGCHLD)
        signal(SIGCHLD, SIG_DFL)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        awaited = set
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for the next signal.
    func next() -> Event {
        var set = awaited
        while true {
            var info = siginfo_t()
            let signal = sigwaitinfo(&set, &info)
            if signal == SIGCHLD { return .child }
            // A terminal's signals come from the kernel, all others from a process.
            if signal > 0 { return .end(signal, isFromTerminal: info.si_code > 0) }
        }
    }

    /// Waits until a signal asks this process to end.
    func untilAskedToEnd() {
        while next() == .child {}
    }
}
