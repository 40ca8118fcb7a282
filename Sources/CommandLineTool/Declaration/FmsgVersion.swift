import CSystem

/// The version of the suite, in one place.
public enum FmsgVersion {
    public static let number = "0.1.0"

    /// The day of the version, for the manual, which must not change with each build of it.
    public static let date = "2026-11-30"

    /// The commit that it was built from, with `-dirty` where the tree had changed since; nil
    /// when the build was not told (see `FMSG_COMMIT` in the Makefile).
    public static var commit: String? {
        let commit = String(cString: csystem_build_commit())
        return commit.isEmpty ? nil : commit
    }

    /// What `--version` prints first.
    public static func line(_ program: String) -> String {
        "\(program) \(number)\(commit.map { " (\($0))" } ?? "")"
    }
}
