import FmsgCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The owner of a ``CurlLoop``: starts its thread, and ends it when released.
final class CurlThread: Sendable {
    let loop: CurlLoop
    private let thread: pthread_t

    /// - Throws: ``TransportError/Kind/unavailable`` when libcurl or a thread cannot be had.
    init(maximumRunning: Int) throws(TransportError) {
        loop = try CurlLoop(maximumRunning: maximumRunning)
        let context = Unmanaged.passRetained(loop).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, Self.main, context)
        self.thread = thread
        guard code == 0 else {
            Unmanaged<CurlLoop>.fromOpaque(context).release()
            throw CurlLibrary.failed("no thread can be started")
        }
    }

    /// Waits until the connections are closed, so that none of it runs into the end of the process.
    deinit {
        loop.stop()
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        { context in
            guard let context else { return nil }
            // TLS libraries write to sockets without MSG_NOSIGNAL, and all other signals are for
            // the threads of the program itself.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
}
