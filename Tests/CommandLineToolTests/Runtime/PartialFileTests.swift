import Glibc
import Testing

@testable import CommandLineTool

/// Files that come in and go out piece by piece.
struct PartialFileTests {
    let files = LocalFileSystem()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test func itHasItsNameWhenItIsWhole() throws {
        let file = try #require(try files.openPartial(path("part")))
        try file.write([1, 2, 3, 4])
        try file.cut(to: 2)
        try file.write([5])
        #expect(file.size == 3)
        #expect(try files.list(folder.path) == ["part"])
        try file.finish(as: path("whole"), replacing: false)
        #expect(try files.list(folder.path) == ["whole"])
        #expect(try files.read(path("whole"), limit: 9) == [1, 2, 5])
    }

    @Test func anEarlierTryGoesOn() throws {
        var first = try files.openPartial(path("part"))
        try first?.write([1, 2])
        // While it is written nobody else gets it.
        #expect(try files.openPartial(path("part")) == nil)
        first = nil
        let second = try #require(try files.openPartial(path("part")))
        #expect(second.size == 2)
        try second.write([3])
        second.discard()
        #expect(try files.list(folder.path).isEmpty)
    }

    @Test func whatIsThereIsReplacedOnlyWhenAskedFor() throws {
        try files.writeAtomically(path("there"), [9], mode: 0o600)
        try #require(symlink(path("there"), path("link")) == 0)
        try #require(symlink(path("nowhere"), path("broken")) == 0)
        let file = try #require(try files.openPartial(path("part")))
        for name in ["there", "link", "broken"] {
            let error = #expect(throws: FileError.self) {
                try file.finish(as: path(name), replacing: false)
            }
            #expect(error?.reason == .exists)
            #expect(try files.isTaken(path(name)))
        }
        #expect(try !files.isTaken(path("none")) && !files.isTaken(path("there/none")))
        // The link goes, not what it leads to.
        try file.finish(as: path("link"), replacing: true)
        #expect(try files.read(path("there"), limit: 9) == [9])
        #expect(try files.read(path("link"), limit: 9).isEmpty)
    }

    @Test func whatIsNoFileOfOnesOwnIsLeftAlone() throws {
        try files.writeAtomically(path("precious"), [9], mode: 0o600)
        try #require(symlink(path("precious"), path("link")) == 0)
        try #require(link(path("precious"), path("second")) == 0)
        try #require(mkfifo(path("fifo"), 0o600) == 0)
        try files.createFolder(path("folder"))
        for name in ["link", "second", "fifo", "folder", "none/part", "nul\0"] {
            #expect(throws: FileError.self, "\(name)") { try files.openPartial(path(name)) }
        }
        #expect(try files.read(path("precious"), limit: 9) == [9])
    }

    @Test func aFileIsReadFromAnyPlaceThoughItsNameGoes() throws {
        try files.writeAtomically(path("a"), [1, 2, 3], mode: 0o600)
        let file = try files.open(path("a"))
        try files.remove(path("a"))
        #expect(file.size == 3)
        #expect(try file.read(atMost: 9, at: 1) == [2, 3])
        #expect(try file.read(atMost: 1, at: 0) == [1])
        #expect(try file.read(atMost: 9, at: 3).isEmpty)
        #expect(try file.read(atMost: 0, at: 0).isEmpty)
    }

    @Test func aChangeIsNoticed() throws {
        for size in [2, 4] {
            try files.writeAtomically(path("a"), [1, 2, 3], mode: 0o600)
            let file = try files.open(path("a"))
            try file.checkUnchanged()
            try #require(truncate(path("a"), off_t(size)) == 0)
            let error = #expect(throws: FileError.self) { try file.checkUnchanged() }
            #expect(error?.reason == .changed)
        }
    }

    @Test func onlyFilesAreOpened() throws {
        try #require(mkfifo(path("fifo"), 0o600) == 0)
        for other in [path("fifo"), "/dev/null", folder.path, path("none")] {
            #expect(throws: FileError.self) { try files.open(other) }
        }
    }
}
