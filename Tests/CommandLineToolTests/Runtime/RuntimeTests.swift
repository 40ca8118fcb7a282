import CSystem
import Glibc
import Testing

@testable import CommandLineTool

struct RuntimeTests {
    @Test func anArgumentThatIsNotTextIsNamedByItsPosition() throws {
        #expect(try Runtime.decode([Array("é".utf8), []]) == ["é", ""])
        for bytes: [UInt8] in [[0xFF], [0xC3], [0x61, 0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
            #expect(throws: UsageError("argument 2 is not valid UTF-8")) {
                try Runtime.decode([[0x61], bytes])
            }
        }
    }

    @Test func theRuntimeOfThisProcess() throws {
        let runtime = try Runtime.ofProcess()
        #expect(runtime.executablePath?.hasPrefix("/") == true)
        #expect(runtime.environment["PATH"] != nil)
        #expect(runtime.time.now > 1_700_000_000)
        let before = runtime.time.uptime
        #expect(runtime.time.uptime >= before)
        #expect(runtime.randomBytes(32).count == 32)
        #expect(runtime.randomBytes(16) != runtime.randomBytes(16))
        #expect(runtime.terminal.columns >= 20)
    }

    @Test func environmentValues() {
        let environment: Environment = ["A": "1", "EMPTY": "", "OFF": "0", "no_proxy": "x"]
        #expect(environment["A"] == "1")
        #expect(environment["EMPTY"] == nil)
        #expect(environment.variables["EMPTY"] == "")
        #expect(environment.isOn("A"))
        #expect(!environment.isOn("OFF") && !environment.isOn("EMPTY") && !environment.isOn("B"))
        #expect(environment.first(of: "NO_PROXY", "no_proxy") == "x")
    }

    @Test func datesOfTheCalendar() {
        let cases: [(Int64, [Int])] = [
            (0, [1970, 1, 1, 0, 0, 0]), (-1, [1969, 12, 31, 23, 59, 59]),
            (951_782_399, [2000, 2, 28, 23, 59, 59]), (951_782_400, [2000, 2, 29, 0, 0, 0]),
            (4_107_542_400, [2100, 3, 1, 0, 0, 0]), (1_796_000_461, [2026, 11, 30, 1, 1, 1]),
        ]
        for (seconds, fields) in cases {
            let time = LocalTime(utc: seconds)
            #expect(
                [time.year, time.month, time.day, time.hour, time.minute, time.second] == fields)
        }
    }

    @Test func localTimeIsUTCWithAnOffset() throws {
        for seconds in stride(from: Int64(-2_000_000_000), to: 4_000_000_000, by: 123_456_789) {
            var local = try #require(TimeSource.ofSystem.localTime(Double(seconds) + 0.5))
            let offset = local.offset
            local.offset = 0
            #expect(local == LocalTime(utc: seconds + Int64(offset)))
        }
        #expect(TimeSource.ofSystem.localTime(.infinity) == nil)
        #expect(TimeSource.ofSystem.localTime(.nan) == nil)
        #expect(TimeSource.ofSystem.localTime(1e11 * 9) == nil)
    }

    @Test func exitCodesAreDistinctAndExplained() {
        #expect(Set(ExitCode.all).count == ExitCode.all.count)
        #expect(ExitCode.all.allSatisfy { !$0.meaning.isEmpty })
        #expect(ExitCode(rawValue: 42).meaning.isEmpty)
    }
}

struct ProcessRunnerTests {
    let runner = ProcessRunner.ofSystem

    func shell(_ script: String, _ environment: Environment = [:]) async throws -> Int32 {
        try await runner.run("/bin/sh", ["-c", script, "sh", "a b", ""], environment: environment)
    }

    @Test func theStatusIsHandedBack() async throws {
        #expect(try await shell("exit 7") == 7)
        #expect(try await shell("kill -TERM $$") == 143)
        #expect(try await shell(#"test "$#" = 2 && test "$1" = "a b" && test -z "$2""#) == 0)
    }

    @Test func theEnvironmentIsTheGivenOneAlone() async throws {
        #expect(try await shell(#"test "$X" = "a=b" && test -z "$HOME""#, ["X": "a=b"]) == 0)
    }

    @Test func aLostReaderEndsAChildAsUsual() async throws {
        csystem_ignore_broken_pipes()
        #expect(try await shell("kill -PIPE $$") == 141)
    }

    @Test func aMissingProgramIsAnError() async {
        let error = await #expect(throws: ProcessError.self) {
            try await runner.run("/nonexistent/program", [], environment: [:])
        }
        #expect(error?.description == "cannot run /nonexistent/program: No such file or directory")
        #expect(throws: ProcessError.self) {
            try runner.replace(with: "/nonexistent/program", [], environment: [:])
        }
    }

    @Test func cancellationEndsTheChild() async throws {
        let task = Task { try await runner.run("/bin/sleep", ["1000"], environment: [:]) }
        task.cancel()
        #expect(try await task.value == 143)
    }
}

struct SignalsTests {
    /// Ends when its task is cancelled.
    static let untilCancelled: @Sendable () async -> Bool = {
        let (stream, _) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        return Task.isCancelled
    }

    @Test func aSignalCancelsTheOperationAndIsReported() async {
        let signals = TestSignals()
        let outcome = await signals.signals.cancelling {
            signals.send(.terminate)
            signals.send(.interrupt)
            return await Self.untilCancelled()
        }
        #expect(outcome.result)
        #expect(outcome.signal == .terminate)
        #expect(outcome.signal?.exitCode == .terminated)
        #expect(!signals.isAwaited)
    }

    @Test func withoutASignalTheResultStands() async {
        let outcome = await Signals.none.cancelling { 42 }
        #expect(outcome.result == 42)
        #expect(outcome.signal == nil)
    }

    /// The only test that sends this process a real signal.
    @Test func aRealSignalReachesTheOperation() async {
        for _ in 0..<3 {
            let outcome = await Signals.ofProcess.cancelling {
                kill(getpid(), SIGHUP)
                return await Self.untilCancelled()
            }
            #expect(outcome.result)
            #expect(outcome.signal == .hangUp)
        }
    }

    @Test func cancellingTheCallerCancelsTheOperation() async {
        let task = Task { await Signals.none.cancelling(Self.untilCancelled).result }
        task.cancel()
        #expect(await task.value)
    }
}
