import CCurl
import FmsgCore
import Synchronization

/// Work that a ``CurlLoop`` drives: one easy handle. Called on the loop's thread alone.
protocol CurlTask: AnyObject {
    /// When ``deadlinePassed()`` is due; nil for never.
    var deadline: ContinuousClock.Instant? { get }
    /// A socket to wait for besides libcurl's own, and the events.
    var awaitedSocket: curl_waitfd? { get }

    /// libcurl is done with the handle.
    func transferEnded(_ code: CURLcode)
    func deadlinePassed()
    /// The awaited socket can be read or written, or failed.
    func socketIsReady()
    /// The loop ends. The task has to finish.
    func loopStopped()
}

/// One multi handle of libcurl and the thread that drives it.
///
/// It ends when the last reference from outside its thread goes: see ``CurlThread``.
// Safe to share: `multi` is a constant, of which other threads use only `curl_multi_wakeup`, which
// libcurl allows, and only under the mailbox's lock while the loop runs; all other mutable state is
// touched by the loop's thread alone, as jobs, tasks and libcurl's callbacks all run there.
final class CurlLoop: @unchecked Sendable {
    private struct Mailbox: Sendable {
        var jobs: [@Sendable () -> Void] = []
        var isOpen = true
    }

    private let multi: UnsafeMutableRawPointer
    private let mailbox = Mutex(Mailbox())
    private let maximumRunning: Int
    private var tasks: [UnsafeMutableRawPointer: any CurlTask] = [:]
    private var running: Set<UnsafeMutableRawPointer> = []
    /// Handles that are not running yet, in the order they came.
    private var waiting: [UnsafeMutableRawPointer] = []
    private var isStopping = false

    /// - Parameter maximumRunning: most handles that run at a time; further ones wait their turn.
    ///   libcurl's own limit is not used: it was seen to leave waiting transfers asleep.
    /// - Throws: ``TransportError/Kind/unavailable`` when libcurl is missing or has no memory.
    init(maximumRunning: Int) throws(TransportError) {
        try CurlLibrary.bind()
        guard let multi = fmsg_curl_multi_init() else {
            throw CurlLibrary.failed("out of memory")
        }
        self.multi = multi
        self.maximumRunning = maximumRunning
        // Without it libcurl sizes its store of idle connections by the running transfers.
        _ = fmsg_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, maximumRunning * 4)
    }

    // MARK: From any thread

    /// Runs `job` on the loop's thread, in the order of the calls; never once the loop has ended.
    func perform(_ job: @escaping @Sendable () -> Void) {
        mailbox.withLock { mailbox in
            guard mailbox.isOpen else { return }
            mailbox.jobs.append(job)
            _ = fmsg_curl_multi_wakeup(multi)
        }
    }

    /// Ends the loop; tasks that are left are told.
    func stop() {
        perform { self.isStopping = true }
    }

    // MARK: On the loop's thread

    /// Runs the handle as soon as there is room.
    func add(_ easy: CurlEasy, for task: any CurlTask) {
        tasks[easy.pointer] = task
        waiting.append(easy.pointer)
    }

    /// Ends whatever libcurl does with the handle. Not to be called by a callback of libcurl.
    func remove(_ easy: CurlEasy) {
        guard tasks.removeValue(forKey: easy.pointer) != nil else { return }
        if running.remove(easy.pointer) != nil {
            _ = fmsg_curl_multi_remove_handle(multi, easy.pointer)
        } else {
            waiting.removeAll { $0 == easy.pointer }
        }
    }

    /// The whole life of the loop's thread.
    func run() {
        while true {
            for job in takeJobs() { job() }
            if isStopping { break }
            startWaiting()
            var count: Int32 = 0
            _ = fmsg_curl_multi_perform(multi, &count)
            var result = CURLE_OK
            while let easy = fmsg_curl_multi_next_done(multi, &result) {
                tasks[easy]?.transferEnded(result)
            }
            expire()
            if waiting.isEmpty || running.count >= maximumRunning { sleep() }
        }
        mailbox.withLock { $0.isOpen = false }
        for job in takeJobs() { job() }
        for task in Array(tasks.values) { task.loopStopped() }
        _ = fmsg_curl_multi_cleanup(multi)
    }

    private func takeJobs() -> [@Sendable () -> Void] {
        mailbox.withLock { mailbox in
            defer { mailbox.jobs = [] }
            return mailbox.jobs
        }
    }

    private func startWaiting() {
        while running.count < maximumRunning, !waiting.isEmpty {
            let easy = waiting.removeFirst()
            if fmsg_curl_multi_add_handle(multi, easy) == CURLM_OK {
                running.insert(easy)
            } else {
                tasks[easy]?.transferEnded(CURLE_OUT_OF_MEMORY)
            }
        }
    }

    private func expire() {
        guard tasks.values.contains(where: { $0.deadline != nil }) else { return }
        let now = ContinuousClock.now
        for task in Array(tasks.values) {
            if let deadline = task.deadline, deadline <= now { task.deadlinePassed() }
        }
    }

    /// Sleeps until libcurl, an awaited socket, a deadline or ``perform(_:)`` has something to do.
    private func sleep() {
        var awaited: [curl_waitfd] = []
        var awaiting: [any CurlTask] = []
        var earliest: ContinuousClock.Instant?
        for task in tasks.values {
            if let socket = task.awaitedSocket {
                awaited.append(socket)
                awaiting.append(task)
            }
            if let deadline = task.deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        _ = fmsg_curl_multi_poll(
            multi, &awaited, UInt32(awaited.count), Self.milliseconds(until: earliest), nil)
        for (socket, task) in zip(awaited, awaiting) where socket.revents != 0 {
            task.socketIsReady()
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        let longest = Duration.seconds(3600)
        guard let deadline else { return 3_600_000 }
        let left = min(max(.zero, ContinuousClock.now.duration(to: deadline)), longest)
        return Int32(left / .milliseconds(1)) + 1
    }
}
