import CommandLineTool
import FmsgCore

/// What a command prints: one value, a list, or a record, in the form that was asked for.
struct Output: Sendable {
    private let stream: ByteOutput
    private let fields: [String]?
    private let isJSONLines: Bool
    /// How text looks; plain in a pipe.
    let style: Style
    /// Columns of the terminal; nil in a pipe, where nothing is cut.
    let width: Int?
    let time: TimeSource

    init(context: CommandContext) {
        let runtime = context.runtime
        stream = runtime.standardOutput
        let chosen = context.invocation[GlobalOptions.fields] ?? []
        fields = chosen.isEmpty ? nil : chosen
        isJSONLines = context.wantsJSONLines
        style = Style.decide(
            context.invocation[GlobalOptions.color], runtime.environment,
            isTerminal: context.isOnTerminal)
        width = context.isOnTerminal ? runtime.terminal.columns : nil
        time = runtime.time
    }

    /// The columns asked for by `--fields`, or `standard`.
    /// - Throws: ``UsageError`` for an unknown name, listing all.
    func columns(
        _ standard: [MessageColumn]
    ) throws(UsageError) -> [MessageColumn] {
        guard let fields else { return standard }
        var columns: [MessageColumn] = []
        for name in fields {
            guard let column = MessageColumn(rawValue: name) else {
                throw unknown(name, among: MessageColumn.allCases.map(\.rawValue))
            }
            columns.append(column)
        }
        return columns
    }

    /// Prints one JSON object on a line.
    /// - Parameters:
    ///   - keys: names that `--fields` may ask for though this object lacks them.
    ///   - flush: whether it must reach the reader at once, as in a stream.
    func write(
        _ object: JSONObject, keys: [String] = [], flush: Bool = false
    ) throws {
        var bytes = JSON.object(try picked(object, keys)).bytes
        bytes.append(UInt8(ascii: "\n"))
        try stream.write(bytes)
        if flush { try stream.flush() }
    }

    /// Prints objects as one array, or one a line with `--jsonl`.
    func write(list: [JSONObject], keys: [String] = []) throws {
        if isJSONLines {
            for object in list { try write(object, keys: keys) }
            return
        }
        try checkFields(keys, list)
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, object) in list.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSON.object(try picked(object, keys)).write(to: &bytes)
        }
        bytes.append(contentsOf: "]\n".utf8)
        try stream.write(bytes)
    }

    /// Prints one record of a pipe: fields escaped and parted by tabs.
    func record(_ fields: [String], flush: Bool = false) throws {
        try stream.writeLine(DisplayText.record(fields), flush: flush)
    }

    /// Prints one line for a person; what a host gave must be escaped in it.
    func line(_ text: String, flush: Bool = false) throws {
        try stream.writeLine(text, flush: flush)
    }

    private func picked(_ object: JSONObject, _ keys: [String]) throws(UsageError) -> JSONObject {
        guard let fields else { return object }
        var picked = JSONObject()
        for name in fields {
            if let value = object[name] {
                picked[name] = value
            } else if !keys.contains(name) {
                throw unknown(name, among: keys + object.fields.map(\.key))
            }
        }
        return picked
    }

    /// An unknown name is an error also when the list is empty.
    private func checkFields(_ keys: [String], _ list: [JSONObject]) throws(UsageError) {
        guard let fields, list.isEmpty else { return }
        for name in fields where !keys.contains(name) { throw unknown(name, among: keys) }
    }

    private func unknown(_ name: String, among names: [String]) -> UsageError {
        var seen: Set<String> = []
        let all = names.filter { seen.insert($0).inserted }.joined(separator: ", ")
        return UsageError(
            "--fields \"\(DisplayText.escape(name))\": there is no such field",
            hint: "there are: \(all)")
    }
}
