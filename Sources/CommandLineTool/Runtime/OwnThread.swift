#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a call that blocks on a thread of its own, so that it holds up no other task.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: body()) }
    }
}

/// Runs `body` on a new thread; where none can be had, here.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, &attributes, runWork, work.toOpaque())
    if status != 0 { work.takeRetainedValue().run() }
}

/// Threads of their own for other modules.
package enum OwnThread {
    /// Runs `body` on a new thread; where none can be had, here.
    package static func start(_ body: @escaping @Sendable () -> Void) { startThread(body) }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
    private let runWork: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
        Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run()
        return nil
    }
#else
    private let runWork: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        if let work = $0 { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
    }
#endif
