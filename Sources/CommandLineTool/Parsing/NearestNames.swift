/// Names that may have been meant by a mistyped one.
public enum NearestNames {
    /// Longer words are not compared: no name is that long, and the work stays bounded.
    private static let longest = 64

    /// The names within a third of the word's length, but at least one step away, nearest first
    /// and otherwise in their order; at most three.
    public static func of(_ word: String, among names: [String]) -> [String] {
        let letters = Array(
            word.prefix(longest + 1).lowercased().unicodeScalars.prefix(longest + 1))
        guard !letters.isEmpty, letters.count <= longest else { return [] }
        let limit = max(1, letters.count / 3)
        let near = names.enumerated().compactMap { index, name in
            let distance = distance(
                letters, Array(name.lowercased().unicodeScalars.prefix(longest)))
            let isBeginning = letters.count > 2 && name.hasPrefix(word)
            return distance <= limit || isBeginning
                ? (distance: distance, index: index, name: name) : nil
        }
        return near.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
            .prefix(3).map(\.name)
    }

    /// The optimal string alignment distance: insertions, deletions, substitutions, and swaps of
    /// neighbours count one each.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var cost = min(
                    last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
