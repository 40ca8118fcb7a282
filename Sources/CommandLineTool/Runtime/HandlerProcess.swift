import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The processes of one ``Handler``, from the start to the last of them.
///
/// One thread serves its pipes, so that neither side can wait for the other for ever. A second one
/// waits for the shell. The shell is reaped last: until then its pid, and so the name of its
/// group, is nobody else's.
public struct HandlerProcess {
    private static let shell = "/bin/sh"
    private static let chunk = 1 << 16

    /// What wakes the thread that serves the pipes.
    private enum Call: UInt8 {
        case exited
        case cancelled
    }

    private let handler: Handler
    private let pid: pid_t
    private let calls: Pipe
    private var input: OpenDescriptor?
    private var output: OpenDescriptor?
    private var written = 0
    private var collected: [UInt8] = []
    private var hasExited = false
    /// Why the group was asked to end, once it was.
    private var reason: HandlerOutcome?
    /// When it is to be asked to end, or killed if it was asked: in seconds of ``now``.
    private var deadline: Double?

    @Sendable public static func run(_ handler: Handler) async throws(ProcessError)
        -> HandlerOutcome
    {
        if Task.isCancelled { return .cancelled }
        guard let calls = Pipe() else { throw ProcessError(program: shell, reason: .last) }
        let result = await withTaskCancellationHandler {
            await onOwnThread { () -> Result<HandlerOutcome, ProcessError> in
                csystem_block_broken_pipes()
                do throws(ProcessError) {
                    var process = try HandlerProcess(handler, calls)
                    return .success(process.outcome())
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            calls.signal(Call.cancelled.rawValue)
        }
        return try result.get()
    }

    private init(_ handler: Handler, _ calls: Pipe) throws(ProcessError) {
        self.handler = handler
        self.calls = calls
        do throws(SystemError) {
            let (itsInput, input) = try OpenDescriptor.pipe()
            try input.makeNonblocking()
            self.input = handler.input.isEmpty ? nil : input
            var itsOutput: OpenDescriptor?
            if case .captured = handler.output {
                let (output, end) = try OpenDescriptor.pipe()
                try output.makeNonblocking()
                self.output = output
                itsOutput = end
            }
            pid = try Self.spawn(handler, input: itsInput, output: itsOutput)
        } catch {
            throw ProcessError(program: Self.shell, reason: error)
        }
        deadline = handler.timeLimit.map { Self.now + Self.bounded($0) }
    }

    private static func spawn(
        _ handler: Handler, input: OpenDescriptor, output: OpenDescriptor?
    ) throws(SystemError) -> pid_t {
        var pid: pid_t = 0
        let error = withExtendedLifetime((input, output)) {
            withCStrings(["sh", "-c", handler.command], handler.environment.entries) {
                csystem_spawn_group(
                    shell, $0, $1, input.number,
                    output?.number ?? StandardStream.output.rawValue, &pid)
            }
        }
        guard error == 0 else { throw SystemError(number: error) }
        return pid
    }

    /// Serves the pipes until the handler is over, and leaves no process behind.
    private mutating func outcome() -> HandlerOutcome {
        startThread { [pid, calls] in
            csystem_await_exit(pid)
            calls.signal(Call.exited.rawValue)
        }
        serve()
        if reason == nil { takeRest() }
        csystem_signal_group(pid, SIGKILL)
        while !hasExited { answerCall() }
        var signal: Int32 = 0
        let status = csystem_reap(pid, &signal)
        if let reason { return reason }
        return signal == 0 ? .exited(status: status, output: collected) : .signalled(signal)
    }

    /// Until the shell has ended by itself; or, once asked to, it has ended and nobody holds its
    /// output any more, or the grace period has passed.
    private mutating func serve() {
        while true {
            if hasExited, reason == nil { return }
            if hasExited, output == nil, handler.output != .inherited { return }
            if let deadline, Self.now >= deadline {
                guard reason == nil else { return }
                end(.timedOut(after: handler.timeLimit ?? 0))
            }
            var waits = [
                pollfd(fd: calls.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: output?.number ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input?.number ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { continue }
            if waits[1].revents != 0 { readOutput(atMost: Self.chunk) }
            if waits[2].revents != 0 { writeInput() }
            if waits[0].revents != 0 { answerCall() }
        }
    }

    private mutating func answerCall() {
        switch (try? readBytes(from: calls.readEnd, atMost: 1))?.first {
        case Call.exited.rawValue: hasExited = true
        case Call.cancelled.rawValue: end(.cancelled)
        default: break
        }
    }

    /// Asks the whole group to end. What it still writes is read, so that it can, and dropped.
    private mutating func end(_ reason: HandlerOutcome) {
        guard self.reason == nil else { return }
        self.reason = reason
        input = nil
        collected = []
        deadline = Self.now + Self.bounded(handler.gracePeriod)
        csystem_signal_group(pid, SIGTERM)
    }

    private mutating func writeInput() {
        guard let descriptor = input?.number else { return }
        let count = handler.input[written...].prefix(Self.chunk).withUnsafeBytes {
            write(descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 { written += count }
        // A reader that has gone wanted no more.
        let hasFailed = count < 0 && errno != EAGAIN && errno != EINTR
        if hasFailed || written == handler.input.count { input = nil }
    }

    private mutating func readOutput(atMost: Int) {
        guard let descriptor = output?.number, case .captured(let limit) = handler.output else {
            return
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readBytes(from: descriptor, atMost: atMost)
        } catch {
            if error.number != EAGAIN { output = nil }
            return
        }
        if bytes.isEmpty { output = nil }
        guard reason == nil else { return }
        if bytes.count > limit - collected.count { return end(.outputTooLong(limit: limit)) }
        collected += bytes
    }

    /// What was in the pipe when the shell had ended. Whoever still holds the other end may go on
    /// writing, and is not listened to.
    private mutating func takeRest() {
        guard let output else { return }
        let waiting = Int(csystem_bytes_waiting(output.number))
        if waiting > 0 { readOutput(atMost: waiting) }
    }

    /// Until the deadline, for poll(2); -1 without one.
    private var milliseconds: Int32 {
        guard let deadline else { return -1 }
        return Int32(min(max(0, deadline - Self.now) * 1000, 1e9).rounded(.up))
    }

    private static var now: Double { TimeSource.ofSystem.uptime }

    /// Seconds from 0 to 30 years.
    private static func bounded(_ seconds: Double) -> Double { max(0, min(seconds, 1e9)) }
}
