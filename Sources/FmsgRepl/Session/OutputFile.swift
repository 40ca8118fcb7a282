// SPDX-License-Identifier: GPL-3.0-or-later

import CSystem
import CommandLineTool

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file that a command's output goes to: made where it is missing, for the owner alone, since
/// messages are private.
final class OutputFile: Sendable {
    private let descriptor: Int32
    let output: ByteOutput

    /// Opens it as a shell does for `>` and `>>`.
    init(_ path: String, appends: Bool) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_NOCTTY | (appends ? O_APPEND : O_TRUNC)
        descriptor = csystem_open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw FileError(
                operation: "write", path: path, reason: .system(.last))
        }
        output = ByteOutput(descriptor: descriptor, name: DisplayText.escape(path))
    }

    deinit { close(descriptor) }
}
