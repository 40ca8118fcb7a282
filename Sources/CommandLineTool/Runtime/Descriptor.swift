import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bytes handed out piece by piece.
final class BytesInMemory: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

    func take(_ atMost: Int) -> [UInt8] {
        rest.withLock { rest in
            let bytes = rest.prefix(atMost)
            rest = rest.dropFirst(atMost)
            return Array(bytes)
        }
    }
}

/// Waits until `descriptor` has bytes or has ended; false when the task was cancelled first.
func waitUntilReadable(_ descriptor: Int32) async -> Bool {
    if Task.isCancelled { return false }
    var immediate = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&immediate, 1, 0) > 0 { return true }
    guard let wake = Pipe() else { return true }
    return await withTaskCancellationHandler {
        await onOwnThread {
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            return waits[1].revents == 0
        }
    } onCancel: {
        wake.signal(0)
    }
}

/// One read(2), repeated where a signal cut it short.
package func readBytes(from descriptor: Int32, atMost: Int) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, atMost)) { buffer, count in
        var result: Int
        repeat {
            result = read(descriptor, buffer.baseAddress, buffer.count)
        } while result < 0 && errno == EINTR
        if result < 0 { failure = errno }
        count = max(0, result)
    }
    guard failure == 0 else { throw SystemError(number: failure) }
    return bytes
}

/// A pipe that is closed with its last owner.
package final class Pipe: Sendable {
    package let readEnd: Int32
    package let writeEnd: Int32

    /// Nil when the process has no descriptors left.
    package init?() {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        guard csystem_pipe(&ends.read, &ends.write) == 0 else { return nil }
        readEnd = ends.read
        writeEnd = ends.write
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Puts one byte into the pipe.
    package func signal(_ byte: UInt8) {
        var byte = byte
        write(writeEnd, &byte, 1)
    }
}
