import CommandLineTool

/// The name that a file of a host gets on this machine: one that stays in its folder, hides
/// nothing, and misleads nobody.
enum LocalName {
    /// The most bytes that file systems take for a name.
    private static let limit = 255
    private static let longestExtension = 32

    /// What would part a path, or harm or mislead on a terminal, becomes `_`, and so does a dot
    /// or a dash at the beginning. A name that is too long is cut before its extension.
    static func of(_ filename: String) -> String {
        var name = String.UnicodeScalarView()
        for scalar in filename.unicodeScalars {
            let isFirst = name.isEmpty
            switch scalar {
            case "/": name.append("_")
            case ".", "-": name.append(isFirst ? "_" : scalar)
            default: name.append(scalar.isHarmfulWhenShown ? "_" : scalar)
            }
        }
        return name.isEmpty ? "attachment" : cut(String(name))
    }

    /// A different name for each, in order: what is there already gets a number.
    static func unique(_ filenames: [String]) -> [String] {
        var taken: Set<[UInt8]> = []
        return filenames.map { filename in
            let name = of(filename)
            var candidate = name
            var number = 1
            while !taken.insert(Array(candidate.utf8)).inserted {
                number += 1
                let (stem, ending) = split(name)
                candidate = cut("\(stem) (\(number))\(ending)")
            }
            return candidate
        }
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        let (stem, ending) = split(name)
        var room = limit - ending.utf8.count
        var kept = String.UnicodeScalarView()
        for scalar in stem.unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept) + ending
    }

    /// The name and its extension, dot included; empty where it has none of a usual length.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name[dot...].utf8.count <= longestExtension
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
