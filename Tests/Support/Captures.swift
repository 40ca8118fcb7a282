import FmsgCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One raw answer of a real reference host, from `Captures/*.jsonl`.
public struct Capture: Sendable, CustomStringConvertible {
    public let file: String
    public let name: String
    public let method: String
    public let path: String
    public let requestBody: String?
    public let status: Int
    public let contentType: String
    public let body: [UInt8]

    public var description: String { "\(file): \(name)" }

    /// Every capture of the request files.
    public static let all: [Capture] = ["2026-07", "newer", "federation"].flatMap(load)

    static func load(_ file: String) -> [Capture] {
        lines(of: file).compactMap { line in
            guard let object = line.object, let request = object["request"]?.string,
                let space = request.firstIndex(of: " ")
            else { return nil }
            return Capture(
                file: file, name: object["case"]?.string ?? "",
                method: String(request[..<space]),
                path: String(request[request.index(after: space)...]),
                requestBody: object["request_body"]?.string,
                status: Int(object["status"]?.int64 ?? 0),
                contentType: object["headers"]?.object?["Content-Type"]?.string ?? "",
                body: Array((object["body"]?.string ?? "").utf8))
        }
    }

    /// The WebSocket frames of an `events-*.jsonl` file, in order, with their receivers.
    public static func frames(_ file: String) -> [(to: String, frame: [UInt8])] {
        lines(of: file).compactMap { line in
            guard let to = line.object?["to"]?.string, let frame = line.object?["frame"]?.string
            else { return nil }
            return (to, Array(frame.utf8))
        }
    }

    private static func lines(of file: String) -> [JSON] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let url = folder.appending(path: "Captures/\(file).jsonl")
        guard let data = try? Data(contentsOf: url) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).compactMap { try? JSON.read(Array($0)) }
    }
}
