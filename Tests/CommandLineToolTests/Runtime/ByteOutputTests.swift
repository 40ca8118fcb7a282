import CSystem
import Glibc
import Testing

@testable import CommandLineTool

struct ByteOutputTests {
    init() { csystem_ignore_broken_pipes() }

    @Test func aLostReaderIsAQuietEnd() throws {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        try #require(csystem_pipe(&ends.read, &ends.write) == 0)
        close(ends.read)
        defer { close(ends.write) }
        let output = ByteOutput(descriptor: ends.write, name: "standard output")
        try output.write("held back")
        #expect(throws: OutputError.readerGone) { try output.flush() }
        #expect(throws: OutputError.readerGone) { try output.write("more") }
        #expect(throws: OutputError.readerGone) { try output.flush() }
        #expect(OutputError.readerGone.exitCode == .readerGone)
    }

    @Test func aFullDiskIsNamed() throws {
        let descriptor = csystem_open("/dev/full", O_WRONLY, 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let output = ByteOutput(descriptor: descriptor, name: "standard output")
        try output.write("x")
        let error = #expect(throws: OutputError.self) { try output.flush() }
        #expect(error?.description == "cannot write to standard output: No space left on device")
        #expect(error?.exitCode == .failed)
    }

    @Test func aClosedDescriptorIsAnError() {
        let output = ByteOutput(descriptor: -1, name: "standard output", capacity: 0)
        #expect(throws: OutputError.failed(output: "standard output", SystemError(number: EBADF))) {
            try output.write("x")
        }
    }

    @Test func allBytesArriveInOrderThroughASlowPipe() async throws {
        let pipe = try #require(Pipe())
        // Writes meet a full pipe, without blocking, over and over.
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        let lines = (0..<40_000).map { "line \($0)" }
        async let written: Void = onOwnThread {
            let output = ByteOutput(descriptor: pipe.writeEnd, name: "pipe", capacity: 1000)
            for line in lines { try? output.writeLine(line) }
            try? output.writeLine("end", flush: true)
        }
        let input = ByteInput(descriptor: pipe.readEnd, name: "pipe")
        var bytes: [UInt8] = []
        while !bytes.suffix(5).elementsEqual("\nend\n".utf8) {
            bytes += try await input.read(atMost: 4096)
        }
        await written
        #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n").count == 40_001)
        #expect(bytes.elementsEqual((lines + ["end", ""]).joined(separator: "\n").utf8))
    }

    @Test func aFlushedRecordIsThereAtOnce() async throws {
        let pipe = try #require(Pipe())
        let output = ByteOutput(descriptor: pipe.writeEnd, name: "pipe")
        try output.write("a")
        var wait = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 0) == 0)
        try output.writeLine("b", flush: true)
        #expect(try readBytes(from: pipe.readEnd, atMost: 100) == Array("ab\n".utf8))
    }

    @Test func memoryKeepsWhatWasWritten() throws {
        let output = ByteOutput.memory()
        try output.write("é")
        try output.write([0xFF])
        try output.flush()
        #expect(output.bytes == [0xC3, 0xA9, 0xFF])
    }
}

struct ByteInputTests {
    @Test func theWholeUpToALimit() async throws {
        let input = ByteInput(bytes: Array("héllo".utf8))
        #expect(try await input.readText(limit: 6) == "héllo")
        await #expect(throws: InputError.tooLong(input: "memory", limit: 5)) {
            try await ByteInput(bytes: Array("héllo".utf8)).readAll(limit: 5)
        }
        await #expect(throws: InputError.notText(input: "memory")) {
            try await ByteInput(bytes: [0xC3, 0x28]).readText(limit: 10)
        }
    }

    @Test func aClosedDescriptorIsAnError() async {
        await #expect(throws: InputError.failed(input: "x", SystemError(number: EBADF))) {
            try await ByteInput(descriptor: 1 << 20, name: "x").readAll(limit: 5)
        }
    }

    @Test func waitingEndsWithTheTask() async throws {
        let pipe = try #require(Pipe())
        let task = Task { () async -> InputError? in
            do throws(InputError) {
                _ = try await ByteInput(descriptor: pipe.readEnd, name: "pipe").readAll(limit: 5)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        withExtendedLifetime(pipe) {}
    }
}
