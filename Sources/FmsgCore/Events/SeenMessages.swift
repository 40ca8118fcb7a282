/// Which ids were met: exact for the life of a stream, and small, since neighbouring ids share a
/// range.
package struct SeenMessages: Sendable, Equatable {
    package init() {}

    /// Ascending, apart by at least one id.
    private var ranges: [ClosedRange<Int64>] = []

    /// How many ranges are kept.
    var rangeCount: Int { ranges.count }

    package func contains(_ id: Int64) -> Bool {
        let index = firstIndex(endingAtOrAbove: id)
        return index < ranges.count && ranges[index].contains(id)
    }

    /// Adds an id; false when it was there.
    package mutating func insert(_ id: Int64) -> Bool {
        let index = firstIndex(endingAtOrAbove: id)
        if index < ranges.count, ranges[index].contains(id) { return false }
        let joinsBelow = index > 0 && ranges[index - 1].upperBound == id - 1
        let joinsAbove = index < ranges.count && id < .max && ranges[index].lowerBound == id + 1
        switch (joinsBelow, joinsAbove) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...id
        case (false, true): ranges[index] = id...ranges[index].upperBound
        case (false, false): ranges.insert(id...id, at: index)
        }
        return true
    }

    /// Takes an id out again, so that it can be met anew.
    package mutating func remove(_ id: Int64) {
        let index = firstIndex(endingAtOrAbove: id)
        guard index < ranges.count, ranges[index].contains(id) else { return }
        let range = ranges.remove(at: index)
        if range.upperBound > id { ranges.insert(id + 1...range.upperBound, at: index) }
        if range.lowerBound < id { ranges.insert(range.lowerBound...id - 1, at: index) }
    }

    private func firstIndex(endingAtOrAbove id: Int64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
