import FmsgHost
import TestSupport

/// The built programs as a shell script uses them.
struct Shell: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let out: String
    }

    /// All that the script finds in its environment, besides `PATH`.
    var environment: [String: String] = [:]

    /// A user of a host: URL and key, and no home.
    init(_ host: TestHost, as user: String) {
        environment = ["FMSG_API_URL": host.url, "FMSG_API_KEY": host.key(user)]
    }

    init() {}

    /// Runs a script to its end with `sh`, in a folder of its own. Its stderr is dropped where it
    /// does not redirect it.
    func run(_ script: String) async throws -> Outcome {
        var environment = environment
        environment["PATH"] = "\(BuiltProgram.folder):/usr/local/bin:/usr/bin:/bin"
        let folder = try TemporaryFolder(prefix: "fmsg-test-shell")
        defer { folder.remove() }
        environment["SCRATCH"] = folder.path
        let shell = try BuiltProgram(
            "/bin/sh", ["-c", "cd \"$SCRATCH\" || exit 99\n\(script)"], environment: environment)
        let out = await shell.readAll()
        return Outcome(status: await shell.wait(), out: out)
    }
}
