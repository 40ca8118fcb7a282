import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An error number of the system (`errno`) with its words.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    public let number: Int32

    public init(number: Int32) { self.number = number }

    /// The error of the system call that has just failed on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// In the system's words, always English: "No space left on device".
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            csystem_error_text(number, buffer.baseAddress, buffer.count)
            return String(
                decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

extension SystemError {
    static let notFound = SystemError(number: ENOENT)
}
