/// The rule by which `fmsg NAME` finds the program `fmsg-NAME`: first beside the program itself,
/// then in the folders of `PATH`.
public enum ExternalCommand {
    /// The path of the program, or nil when there is none.
    ///
    /// A name with anything but ASCII letters, digits and inner dashes never stands for a program.
    /// Relative folders of `PATH` are passed over, so that a folder one happens to stand in runs
    /// nothing.
    public static func find(
        _ name: String, program: String, executablePath: String?, searchPath: String,
        isExecutable: (String) -> Bool
    ) -> String? {
        guard isName(name) else { return nil }
        var folders = searchPath.split(separator: ":").map(String.init)
        if let executablePath, let slash = executablePath.lastIndex(of: "/") {
            folders.insert(String(executablePath[..<slash]), at: 0)
        }
        return folders.lazy.filter { $0.hasPrefix("/") }
            .map { "\($0)/\(program)-\(name)" }
            .first(where: isExecutable)
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "-") else { return false }
        return name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-")
        }
    }
}
