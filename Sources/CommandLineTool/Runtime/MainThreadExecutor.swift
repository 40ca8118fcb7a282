import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a program's asynchronous work on the thread that calls it, the main one.
///
/// The default executor starts a pool of threads for the first job, which costs a command that
/// needs none a third of its whole time.
public final class MainThreadExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let semaphore = Semaphore()

    private init() {}

    /// Runs `operation` to its end and gives what it gave. What it starts as tasks of their own
    /// may go on elsewhere.
    public static func run<Result: Sendable>(
        _ operation: @escaping @Sendable () async -> Result
    ) -> Result {
        let executor = MainThreadExecutor()
        let outcome = Outcome<Result>()
        Task(executorPreference: executor) {
            outcome.set(await operation())
            executor.semaphore.signal()
        }
        while true {
            executor.semaphore.wait()
            executor.runJobs()
            if let result = outcome.value { return result }
        }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        semaphore.signal()
    }

    private func runJobs() {
        let waiting = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// The result of a task, for the thread that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)
    var value: Value? { state.withLock { $0 } }
    func set(_ value: Value) { state.withLock { $0 = value } }
}

/// A counting semaphore (POSIX).
// Sendable: the pointer never changes, and sem_post and sem_wait are made for several threads.
private final class Semaphore: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<sem_t>

    init() {
        pointer = .allocate(capacity: 1)
        sem_init(pointer, 0, 0)
    }

    func signal() { sem_post(pointer) }

    func wait() { while sem_wait(pointer) != 0 && errno == EINTR {} }

    deinit {
        sem_destroy(pointer)
        pointer.deallocate()
    }
}
