import CommandLineTool
import FmsgCore

/// The file of profiles: `credentials.json` (0600) in the configuration folder, or the public Go
/// client's `auth.json` there, which is read and never written.
struct ProfileStore: Sendable {
    private static let limit = 1 << 20

    let files: any FileSystem
    let folder: String?

    private func path(_ name: String) -> String? { folder.map { "\($0)/\(name)" } }

    /// The profiles; none when there is no file.
    /// - Throws: ``CommandFailure`` when a file is open to others or cannot be understood, with
    ///   what mends it; ``FileError``.
    func load() throws -> Profiles {
        if let path = path("credentials.json"), let bytes = try read(path) {
            return try understood(path) { try Profiles(credentials: bytes) }
        }
        if let path = path("auth.json"), let bytes = try read(path) {
            return try understood(path) { try Profiles(goClient: bytes) }
        }
        return Profiles()
    }

    /// Writes the profiles, whole or not at all, for the owner alone.
    /// - Throws: ``CommandFailure`` without a folder; ``FileError``.
    private func save(_ profiles: Profiles) throws {
        guard let folder, let path = path("credentials.json") else {
            throw noFolder
        }
        try files.createFolder(folder)
        try files.writeAtomically(path, profiles.credentials, mode: 0o600)
    }

    /// Changes what the file holds now, alone: whoever else changes it waits, so that no profile
    /// is lost between two log-ins.
    /// - Throws: as ``load()`` and ``save(_:)``; whatever `change` throws, and nothing is changed then;
    ///   ``CommandFailure`` when another holds the file for ten seconds.
    func update(_ time: TimeSource, _ change: (inout Profiles) throws -> Void) async throws {
        let lock = try await lock(time)
        var profiles = try load()
        try change(&profiles)
        try save(profiles)
        withExtendedLifetime(lock) {}
    }

    /// Finds out whether profiles can be kept, before there is something that must not be lost.
    /// - Throws: as ``update(_:_:)``.
    func checkWritable(_ time: TimeSource) async throws {
        let lock = try await lock(time)
        _ = try load()
        withExtendedLifetime(lock) {}
    }

    private func lock(_ time: TimeSource) async throws -> FileLock {
        guard let folder, let path = path("credentials.lock") else { throw noFolder }
        try files.createFolder(folder)
        let start = time.uptime
        var tries = 0
        while true {
            if let lock = try files.lock(path) { return lock }
            tries += 1
            guard time.uptime - start < 10, tries < 100_000 else {
                throw CommandFailure(
                    "\(DisplayText.escape(path)) is held by another command", hint: "try again")
            }
            try await time.sleep(0.02)
        }
    }

    private var noFolder: CommandFailure {
        CommandFailure(
            "there is no folder for credentials",
            hint: "set HOME or \(EnvironmentVariable.configDirectory)")
    }

    private func read(_ path: String) throws -> [UInt8]? {
        guard let status = try files.status(path) else { return nil }
        guard status.kind == .file else {
            throw CommandFailure("\(DisplayText.escape(path)) is not an ordinary file")
        }
        guard !status.isOpenToOthers else {
            throw CommandFailure(
                "\(DisplayText.escape(path)) holds keys and is open to others",
                hint: "run: chmod 600 \(DisplayText.escape(path))", exitCode: .notAuthenticated)
        }
        return try files.read(path, limit: Self.limit)
    }

    private func understood(_ path: String, _ read: () throws -> Profiles) throws -> Profiles {
        do {
            return try read()
        } catch let error as UnreadableProfiles where error.version != nil {
            throw CommandFailure(
                "\(DisplayText.escape(path)) was written by a newer fmsg",
                hint: "use that one, or move the file away and log in again",
                exitCode: .notAuthenticated)
        } catch {
            throw CommandFailure(
                "\(DisplayText.escape(path)) cannot be understood",
                hint: "mend it, or move it away and log in again", exitCode: .notAuthenticated)
        }
    }
}
