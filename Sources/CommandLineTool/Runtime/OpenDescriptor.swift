import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A descriptor that is closed with its last owner.
final class OpenDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    static func pipe() throws(SystemError) -> (readEnd: OpenDescriptor, writeEnd: OpenDescriptor) {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        guard csystem_pipe(&ends.read, &ends.write) == 0 else { throw .last }
        return (OpenDescriptor(ends.read), OpenDescriptor(ends.write))
    }

    func makeNonblocking() throws(SystemError) {
        guard csystem_make_nonblocking(number) == 0 else { throw .last }
    }
}
