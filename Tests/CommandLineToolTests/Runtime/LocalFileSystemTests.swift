import Glibc
import Testing

@testable import CommandLineTool

struct LocalFileSystemTests {
    let files = LocalFileSystem()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func writtenForTheOwnerAloneAndReadBack() throws {
        let path = "\(folder.path)/credentials.json"
        try files.writeAtomically(path, [1, 2, 3], mode: 0o600)
        #expect(try files.read(path, limit: 3) == [1, 2, 3])
        let status = try #require(try files.status(path))
        #expect(status == FileStatus(kind: .file, size: 3, permissions: 0o600, isOwn: true))
        #expect(!status.isOpenToOthers)

        chmod(path, 0o644)
        #expect(try files.status(path)?.isOpenToOthers == true)
        try files.writeAtomically(path, [], mode: 0o600)
        #expect(try files.read(path, limit: 0).isEmpty)
        #expect(try files.status(path)?.permissions == 0o600)
        #expect(try files.list(folder.path) == ["credentials.json"])
    }

    @Test func aFailedWriteLeavesTheOldFileAndNothingElse() throws {
        let path = "\(folder.path)/old"
        try files.writeAtomically(path, [1], mode: 0o600)
        // The last step fails: a folder cannot give way to a file.
        try files.createFolder("\(folder.path)/there/inside")
        let error = #expect(throws: FileError.self) {
            try files.writeAtomically("\(folder.path)/there", [2], mode: 0o600)
        }
        #expect(error?.description.hasPrefix("cannot write \(folder.path)/there: ") == true)
        #expect(try files.list(folder.path) == ["old", "there"])
        #expect(try files.read(path, limit: 10) == [1])

        let missing = #expect(throws: FileError.self) {
            try files.writeAtomically("\(folder.path)/none/x", [2], mode: 0o600)
        }
        #expect(missing?.isNotFound == true)
    }

    @Test func aWriterNeverShowsHalfAFile() async throws {
        let path = "\(folder.path)/state"
        let files = files
        let contents = (0..<4).map { [UInt8](repeating: $0, count: 50_000) }
        try files.writeAtomically(path, contents[0], mode: 0o600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for content in contents {
                group.addTask {
                    for _ in 0..<5 { try files.writeAtomically(path, content, mode: 0o600) }
                }
            }
            for _ in 0..<50 {
                #expect(contents.contains(try files.read(path, limit: 100_000)))
            }
            try await group.waitForAll()
        }
        #expect(try files.list(folder.path) == ["state"])
    }

    @Test func whatIsAppendedStandsAtTheEnd() throws {
        let path = "\(folder.path)/ledger"
        try files.append(path, [])
        #expect(
            try files.status(path)
                == FileStatus(kind: .file, size: 0, permissions: 0o600, isOwn: true))
        try files.append(path, [1, 2])
        try files.append(path, [3])
        #expect(try files.read(path, limit: 10) == [1, 2, 3])
        #expect(throws: FileError.self) { try files.append(folder.path, [1]) }
        #expect(throws: FileError.self) { try files.append("\(folder.path)/none/x", [1]) }
        #expect(throws: FileError.self) { try files.append("/dev/full", [1]) }
    }

    @Test func readingIsBounded() throws {
        let path = "\(folder.path)/x"
        try files.writeAtomically(path, [1, 2, 3], mode: 0o600)
        #expect(throws: FileError(operation: "read", path: path, reason: .tooLong(limit: 2))) {
            try files.read(path, limit: 2)
        }
        #expect(throws: FileError(operation: "read", path: "/dev/zero", reason: .notAFile)) {
            try files.read("/dev/zero", limit: 10)
        }
        #expect(throws: FileError(operation: "read", path: folder.path, reason: .notAFile)) {
            try files.read(folder.path, limit: 10)
        }
        try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        #expect(throws: FileError.self) { try files.read("\(folder.path)/pipe", limit: 10) }
        #expect(throws: FileError.self) { try files.read("\(path)\0y", limit: 10) }
        let error = #expect(throws: FileError.self) { try files.read("/no\u{1B}", limit: 1) }
        #expect(error?.description == "cannot read /no\\x1b: No such file or directory")
    }

    @Test func foldersForTheOwnerAlone() throws {
        let path = "\(folder.path)/a/b/c"
        try files.createFolder(path)
        try files.createFolder(path)
        #expect(try files.status("\(folder.path)/a/b")?.permissions == 0o700)
        #expect(try files.status(path)?.kind == .folder)
        try files.writeAtomically("\(path)/file", [], mode: 0o600)
        #expect(throws: FileError.self) { try files.createFolder("\(path)/file") }
        #expect(throws: FileError.self) { try files.createFolder("\(path)/file/x") }
    }

    @Test func removingIsNoErrorWhereNothingIs() throws {
        let path = "\(folder.path)/x"
        try files.writeAtomically(path, [], mode: 0o600)
        try files.remove(path)
        try files.remove(path)
        #expect(try files.status(path) == nil)
        try files.createFolder("\(path)/y")
        #expect(throws: FileError.self) { try files.remove(path) }
        try files.remove("\(path)/y")
    }

    @Test func executableFilesOnly() throws {
        #expect(files.isExecutable("/bin/sh"))
        #expect(!files.isExecutable("/bin"))
        #expect(!files.isExecutable("\(folder.path)/none"))
        let path = "\(folder.path)/x"
        try files.writeAtomically(path, [], mode: 0o600)
        #expect(!files.isExecutable(path))
    }

    @Test func oneHolderOfALock() throws {
        let path = "\(folder.path)/lock"
        var first = try files.lock(path)
        #expect(first != nil)
        #expect(try files.lock(path) == nil)
        #expect(try files.read(path, limit: 20) == Array("\(getpid())\n".utf8))
        first = nil
        #expect(try files.lock(path) != nil)
        withExtendedLifetime(first) {}
    }

    @Test func theFolderOfAPath() {
        let cases = [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/", "a"), ("/", "/"), ("", ".")]
        for (path, folder) in cases { #expect(LocalFileSystem.folder(of: path) == folder) }
    }
}
