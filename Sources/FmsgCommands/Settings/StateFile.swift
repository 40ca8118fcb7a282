import FmsgCore

/// The names of files in the state folder that belong to one address at one host.
package enum StateFile {
    /// - Parameters:
    ///   - kind: what the file is, as its name begins.
    ///   - ending: without its dot.
    package static func name(
        _ kind: String, host: HostURL, address: String, _ ending: String
    ) -> String {
        let hash = SHA256.hex(Array("\(host.text)\n\(addressKey(address))".utf8))
        return "\(kind)-\(hash.prefix(32)).\(ending)"
    }
}
