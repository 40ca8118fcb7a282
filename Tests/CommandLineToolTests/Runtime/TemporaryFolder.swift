import CommandLineTool
import Glibc

/// A folder that is gone, with all in it, when this is.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // mkdtemp completes the name, so that no two tests share one.
        var template = Array("/tmp/command-line-tool-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(number: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove(path) }

    private func remove(_ path: String) {
        chmod(path, 0o700)
        let files = LocalFileSystem()
        for name in (try? files.list(path)) ?? [] {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { remove(inner) }
        }
        rmdir(path)
    }
}
