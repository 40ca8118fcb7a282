import CommandLineTool
import FmsgCore

/// What a command prints: one value, a list, or a record, in the form that was asked for.
package struct Output: Sendable {
    private let stream: ByteOutput
    private let fields: [String]?
    private let isJSONLines: Bool
    /// How text looks; plain in a pipe.
    package let style: Style
    /// Columns of the terminal; nil in a pipe, where nothing is cut.
    package let width: Int?
    package let time: TimeSource
    /// Whether the lines of a list are numbered, to be named by `%1` on a line to come.
    let numbersLines: Bool

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
        numbersLines = context.isOnTerminal && context.session != nil
    }

    /// The columns asked for by `--fields`, or `standard`.
    func columns<Column: RawRepresentable<String>>(_ standard: [Column]) -> [Column] {
        fields?.compactMap(Column.init) ?? standard
    }

    /// Prints one JSON object on a line, with the keys that `--fields` asks for.
    /// - Parameter flush: whether it must reach the reader at once, as in a stream.
    package func write(_ object: JSONObject, flush: Bool = false) throws(OutputError) {
        var bytes = JSON.object(picked(object)).bytes
        bytes.append(UInt8(ascii: "\n"))
        try stream.write(bytes)
        if flush { try stream.flush() }
    }

    /// Prints objects as one array, or one a line with `--jsonl`.
    package func write(list: [JSONObject]) throws(OutputError) {
        if isJSONLines {
            for object in list { try write(object) }
            return
        }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, object) in list.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSON.object(picked(object)).write(to: &bytes)
        }
        bytes.append(contentsOf: "]\n".utf8)
        try stream.write(bytes)
    }

    /// Prints one record of a pipe: fields escaped and parted by tabs.
    package func record(_ fields: [String], flush: Bool = false) throws(OutputError) {
        try stream.writeLine(DisplayText.record(fields), flush: flush)
    }

    /// Prints one line for a person; what a host gave must be escaped in it.
    package func line(_ text: String, flush: Bool = false) throws(OutputError) {
        try stream.writeLine(text, flush: flush)
    }

    /// Prints the facts of one thing, a name and a value a line: a record of a pipe, or aligned on
    /// a terminal, where those without a value are left out.
    func write(fields: [(name: String, value: String)]) throws(OutputError) {
        guard width != nil else {
            for field in fields { try record([field.name, field.value]) }
            return
        }
        let widest = fields.map { DisplayText.width($0.name) }.max() ?? 0
        for field in fields where !field.value.isEmpty {
            let heading = DisplayText.pad(field.name + ":", width: widest + 1)
            try line(style.apply(.dim, to: heading) + " " + DisplayText.escape(field.value))
        }
    }

    private func picked(_ object: JSONObject) -> JSONObject {
        guard let fields else { return object }
        return JSONObject(fields: fields.compactMap { name in object[name].map { (name, $0) } })
    }
}
