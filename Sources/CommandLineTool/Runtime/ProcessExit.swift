#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ExitCode {
    /// Ends the process with this code, at once: whatever is to be flushed was flushed before.
    public func exit() -> Never { _exit(rawValue) }
}
