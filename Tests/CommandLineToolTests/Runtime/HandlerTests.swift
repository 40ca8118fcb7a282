import CSystem
import Glibc
import Testing

@testable import CommandLineTool

/// Real shells, real pipes.
struct HandlerTests {
    let runner = ProcessRunner.ofSystem

    func run(
        _ command: String, input: [UInt8] = [], timeLimit: Double? = 60, limit: Int = 1 << 20,
        gracePeriod: Double = 0.5, environment: Environment = ["PATH": "/usr/bin:/bin"]
    ) async throws -> HandlerOutcome {
        try await runner.run(
            Handler(
                command, input: input, environment: environment, timeLimit: timeLimit,
                output: .captured(limit: limit), gracePeriod: gracePeriod))
    }

    @Test func theInputGoesInAndTheOutputComesOut() async throws {
        #expect(
            try await run(
                "read a; echo \"$a, $X\"", input: Array("é\nx".utf8), environment: ["X": "y"])
                == .exited(status: 0, output: Array("é, y\n".utf8)))
        #expect(try await run("cat").success == [])
        #expect(try await run("exit 3").success == nil)
    }

    @Test func howItEndedIsToldApart() async throws {
        #expect(try await run("exit 3") == .exited(status: 3, output: []))
        #expect(try await run("exit 137") == .exited(status: 137, output: []))
        #expect(try await run("kill -KILL $$") == .signalled(SIGKILL))
        #expect(try await run("kill -TERM $$") == .signalled(SIGTERM))
        #expect(try await run("no-such-program 2>&-") == .exited(status: 127, output: []))
    }

    @Test func outputIsAnyBytes() async throws {
        #expect(
            try await run(#"printf '\377\000\303'"#)
                == .exited(status: 0, output: [0xFF, 0x00, 0xC3]))
    }

    @Test func inheritedOutputIsThatOfThisProcess() async throws {
        let handler = Handler(
            "test /proc/$$/fd/1 -ef /proc/\(getpid())/fd/1 && test -p /proc/$$/fd/0",
            input: [], environment: [:], output: .inherited)
        #expect(try await runner.run(handler) == .exited(status: 0, output: []))
    }

    @Test func aHandlerCanBeReplaced() async throws {
        let runner = ProcessRunner(handle: { .exited(status: 0, output: $0.input) })
        let handler = Handler("no", input: [1], environment: [:], output: .captured(limit: 1))
        #expect(try await runner.run(handler).success == [1])
    }

    @Test func muchGoesBothWaysAtOnce() async throws {
        let bytes = (0..<10 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let outcome = try await run("cat", input: bytes, limit: bytes.count)
        #expect(outcome.success == bytes)
    }

    /// Neither a reader that never reads, nor one that stops, nor one that shuts its ears.
    @Test(arguments: ["echo ok", "head -c 10 >&2; echo ok", "exec <&-; echo ok"])
    func inputThatNobodyReadsBlocksNothing(_ command: String) async throws {
        let input = [UInt8](repeating: 0, count: 10 << 20)
        #expect(
            try await run("(\(command)) 2>/dev/null", input: input)
                == .exited(status: 0, output: Array("ok\n".utf8)))
    }

    @Test func theOutputMayReachItsLimitButNotPassIt() async throws {
        #expect(
            try await run("head -c 1000 /dev/zero", limit: 1000).success?.count == 1000)
        #expect(
            try await run("head -c 1001 /dev/zero", limit: 1000) == .outputTooLong(limit: 1000))
        #expect(
            try await run("head -c 100000000 /dev/zero", limit: 10_000_000)
                == .outputTooLong(limit: 10_000_000))
        #expect(
            try await run("trap '' TERM; while :; do echo y; done", limit: 10, gracePeriod: 0.05)
                == .outputTooLong(limit: 10))
    }

    @Test func theTimeLimitEndsTheWholeGroup() async throws {
        let folder = try TemporaryFolder()
        let life = try Life(in: folder)
        #expect(
            try await run("sleep 1000 >'\(life.path)' & sleep 1000", timeLimit: 0.1)
                == .timedOut(after: 0.1))
        #expect(await life.isOver())
    }

    @Test func whoIgnoresBeingAskedIsKilled() async throws {
        let folder = try TemporaryFolder()
        let life = try Life(in: folder)
        #expect(
            try await run(
                "exec 9>'\(life.path)'; trap '' TERM; while :; do sleep 1000; done",
                timeLimit: 0.1, gracePeriod: 0.05) == .timedOut(after: 0.1))
        #expect(await life.isOver())
    }

    /// The shell goes at once when it is asked to; the program under it puts things in order.
    @Test func whoIsAskedMayPutThingsInOrder() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/done"
        let program = "trap 'echo tidy >\(file); exit' TERM; echo; while :; do sleep 0.05; done"
        #expect(
            try await run("sh -c \"\(program)\" & wait", limit: 0, gracePeriod: 30)
                == .outputTooLong(limit: 0))
        #expect(try LocalFileSystem().read(file, limit: 10) == Array("tidy\n".utf8))
    }

    @Test func cancellationEndsTheWholeGroup() async throws {
        let folder = try TemporaryFolder()
        let life = try Life(in: folder)
        let task = Task { try await run("exec 9>'\(life.path)'; sleep 1000 & sleep 1000") }
        #expect(await life.hasBegun())
        task.cancel()
        #expect(try await task.value == .cancelled)
        #expect(await life.isOver())
    }

    @Test func aCancelledTaskStartsNothing() async throws {
        let folder = try TemporaryFolder()
        let task = Task {
            let (never, _) = AsyncStream<Never>.makeStream()
            for await _ in never {}
            return try await run("touch '\(folder.path)/started'")
        }
        task.cancel()
        #expect(try await task.value == .cancelled)
        #expect(try LocalFileSystem().list(folder.path) == [])
    }

    /// It holds the output open, and ignores all that can be ignored.
    @Test func aChildThatIsLeftBehindHoldsNothingUp() async throws {
        let folder = try TemporaryFolder()
        let life = try Life(in: folder)
        let started = "\(folder.path)/started"
        try #require(mkfifo(started, 0o600) == 0)
        let child = """
            trap '' TERM HUP; exec 9>'\(life.path)'; echo child; echo >'\(started)'; sleep 1000
            """
        #expect(
            try await run("(\(child)) & read line <'\(started)'; echo shell")
                == .exited(status: 0, output: Array("child\nshell\n".utf8)))
        #expect(await life.isOver())
    }

    @Test func nothingOfThisProcessIsInherited() async throws {
        csystem_ignore_broken_pipes()
        let open = dup(2)
        defer { close(open) }
        let outcome = try await run(
            """
            for number in 3 4 5 6 7 8 9 \(open); do
                test ! -e /proc/$$/fd/$number || echo $number is open
            done
            mask() { while read name bits; do test $name = $1: && echo $((0x$bits & $2)); done; }
            mask SigBlk 0xffffffff </proc/$$/status
            mask SigIgn 0x1000 </proc/$$/status
            read pid name state parent group rest </proc/$$/stat
            test $group = $$ && echo leader
            """)
        #expect(
            String(decoding: outcome.success ?? [], as: UTF8.self) == "0\n0\nleader\n",
            "\(outcome)")
    }

    @Test func aThousandRunsLeaveNothingOpen() async throws {
        let before = Self.openDescriptors
        let runs = try await withThrowingTaskGroup(of: Bool.self) { group in
            var successes = 0
            for index in 0..<1000 {
                if index >= 8, try await group.next() == true { successes += 1 }
                group.addTask { try await run("cat", input: [1]).success == [1] }
            }
            for try await isSuccess in group where isSuccess { successes += 1 }
            return successes
        }
        #expect(runs == 1000)
        // Other tests open and close some meanwhile.
        #expect(Self.openDescriptors < before + 500)
    }

    @Test func noZombieIsLeft() async throws {
        let output = try #require(try await run("echo $$").success)
        let pid = try #require(pid_t(String(decoding: output.dropLast(), as: UTF8.self)))
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func timeLimitsOutOfAllMeasure() async throws {
        for limit in [Double.infinity, 1e300] {
            #expect(try await run("echo", timeLimit: limit).success == [10])
        }
        for limit in [-1.0, 0, -Double.infinity] {
            #expect(try await run("sleep 1000", timeLimit: limit) == .timedOut(after: limit))
        }
    }

    @Test func outcomesInWords() {
        let outcomes: [HandlerOutcome] = [
            .exited(status: 3, output: []), .signalled(9), .timedOut(after: 2.5),
            .outputTooLong(limit: 10), .cancelled,
        ]
        #expect(
            outcomes.map(\.description) == [
                "ended with exit status 3", "was ended by signal 9",
                "was ended after 2.5 seconds", "was ended because it wrote more than 10 bytes",
                "was interrupted",
            ])
    }

    static var openDescriptors: Int {
        (try? LocalFileSystem().list("/proc/self/fd").count) ?? 0
    }
}

/// A named pipe by which a test hears when a process, and all that it started, has gone: they hold
/// it open for writing.
private struct Life {
    let path: String
    private let opening: Task<Int32, Never>

    init(in folder: TemporaryFolder) throws {
        let path = "\(folder.path)/life"
        try #require(mkfifo(path, 0o600) == 0)
        self.path = path
        opening = Task { await onOwnThread { open(path, O_RDONLY | O_CLOEXEC) } }
    }

    /// Waits until somebody has opened it.
    func hasBegun() async -> Bool { await opening.value >= 0 }

    /// Waits until nobody has it open, also when nobody ever had.
    func isOver() async -> Bool {
        let path = path
        close(await onOwnThread { open(path, O_WRONLY | O_CLOEXEC) })
        let descriptor = await opening.value
        defer { close(descriptor) }
        return await onOwnThread { (try? readBytes(from: descriptor, atMost: 1)) == [] }
    }
}
