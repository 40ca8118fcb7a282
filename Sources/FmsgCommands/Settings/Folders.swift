import CommandLineTool

/// Where the suite keeps its files (XDG base directories). Each is nil where the environment
/// names no place: what needs no file works all the same.
package struct Folders: Sendable {
    /// Profiles and their keys.
    let configuration: String?
    /// Cached tokens.
    let tokens: String?
    /// What completion proposes.
    let completion: String?
    /// What must be known the next time: the ledgers of agents, the histories of prompts.
    package let state: String?

    /// - Parameter files: tell whether there is a home; one that is not there is not made.
    package init(_ environment: Environment, _ files: any FileSystem) {
        let home = Self.absolute(environment["HOME"]).flatMap { path in
            (try? files.status(path))??.kind == .folder ? path : nil
        }
        func folder(_ xdg: String, _ standard: String) -> String? {
            (Self.absolute(environment[xdg]) ?? home.map { "\($0)/\(standard)" })
                .map { "\($0)/fmsg" }
        }
        configuration =
            environment[EnvironmentVariable.configDirectory]
            ?? folder("XDG_CONFIG_HOME", ".config")
        state =
            environment[EnvironmentVariable.stateDirectory]
            ?? folder("XDG_STATE_HOME", ".local/state")
        let cache = folder("XDG_CACHE_HOME", ".cache")
        tokens =
            environment.isOn(EnvironmentVariable.noTokenCache) ? nil : cache.map { "\($0)/tokens" }
        completion =
            environment.isOn(EnvironmentVariable.noCompletionCache)
            ? nil : cache.map { "\($0)/completion" }
    }

    /// A path that does not depend on where one stands; the XDG standard ignores others.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }
}
