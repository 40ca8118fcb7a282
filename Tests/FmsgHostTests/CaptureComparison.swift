import FmsgCore
import TestSupport
import Testing

/// Holds an answer against the one that a real host gave in the capture `name`: the same status
/// and content type; a refusal and a text word for word; a success with the same fields in the
/// same order and of the same kinds.
func expectLikeCapture(
    _ name: String, _ answer: TransportResponse, file: String = "newer",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let capture = Capture.all.first(where: { $0.file == file && $0.name == name }) else {
        Issue.record("there is no capture \(file) \(name)", sourceLocation: sourceLocation)
        return
    }
    #expect(answer.status == capture.status, "\(name)", sourceLocation: sourceLocation)
    let type = answer.header("Content-Type") ?? ""
    #expect(type == capture.contentType, "\(name)", sourceLocation: sourceLocation)
    let isJSON = capture.contentType.hasPrefix("application/json")
    guard capture.status < 400, isJSON else {
        let expected = String(decoding: capture.body, as: UTF8.self)
        #expect(answer.text == expected, "\(name)", sourceLocation: sourceLocation)
        return
    }
    guard let have = try? JSON.read(answer.body), let want = try? JSON.read(capture.body) else {
        Issue.record("\(name) is not JSON", sourceLocation: sourceLocation)
        return
    }
    let difference = shapeDifference(have, want, at: "")
    #expect(difference == nil, "\(name)", sourceLocation: sourceLocation)
}

/// Where two values differ in fields, in their order, or in kind; null goes with anything.
private func shapeDifference(_ have: JSON, _ want: JSON, at path: String) -> String? {
    switch (have, want) {
    case (.null, _), (_, .null), (.bool, .bool), (.number, .number), (.string, .string): return nil
    case (.array(let have), .array(let want)):
        return zip(have, want).enumerated().lazy.compactMap { index, pair in
            shapeDifference(pair.0, pair.1, at: "\(path)[\(index)]")
        }.first
    case (.object(let have), .object(let want)):
        let (haveKeys, wantKeys) = (have.fields.map(\.key), want.fields.map(\.key))
        guard haveKeys == wantKeys else { return "\(path): \(haveKeys) is not \(wantKeys)" }
        return zip(have.fields, want.fields).lazy.compactMap { have, want in
            shapeDifference(have.value, want.value, at: "\(path).\(have.key)")
        }.first
    default: return "\(path): \(have) is not of the kind of \(want)"
    }
}
