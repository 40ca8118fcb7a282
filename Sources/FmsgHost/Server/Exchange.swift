import CMicroHTTPD

/// One request on its way in, used by one thread of the server at a time.
final class Exchange {
    /// Bytes beyond a limit that are still read and thrown away, so that a client that is busy
    /// sending gets to read the refusal.
    private static let tolerance = 64 << 20

    private let intake: Intake
    private var collected: [UInt8] = []
    private var received = 0
    private var isTooLarge = false
    private let form: FormReader?
    private let declaredSize: Int

    init(_ intake: Intake, head: RequestHead, connection: OpaquePointer?) {
        self.intake = intake
        declaredSize = head.header("Content-Length").flatMap { Int($0) } ?? 0
        if case .file(let field, let target, _) = intake {
            form = FormReader(connection: connection, field: field, target: target)
        } else {
            form = nil
        }
    }

    /// The most of a body that is of use.
    private var limit: Int {
        switch intake {
        case .collect(let limit, _, _): limit
        case .file(_, let target, _): target.limit + FormReader.overhead
        case .answer: 0
        }
    }

    /// Whether the body is announced to be so large that it is not read at all: the connection
    /// ends with the answer.
    var answersBeforeBody: Bool { declaredSize > limit + Self.tolerance }

    /// Takes a piece of the body; false when the connection is to be dropped.
    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        received += piece.count
        guard received <= limit + Self.tolerance else { return false }
        switch intake {
        case .collect:
            guard received <= limit else {
                isTooLarge = true
                collected = []
                return true
            }
            collected.append(contentsOf: piece)
        case .file: form?.take(piece)
        case .answer: break
        }
        return true
    }

    func answer(_ connection: OpaquePointer?) -> MHD_Result {
        response().queue(on: connection)
    }

    private func response() -> HTTPResponse {
        let isRefusedUnread = answersBeforeBody && received == 0
        switch intake {
        case .collect(_, let tooLarge, let answer):
            return isTooLarge || isRefusedUnread ? tooLarge : answer(collected)
        case .file(_, _, let answer):
            return answer(isRefusedUnread ? .tooLarge : form?.finish() ?? .missing)
        case .answer(let response): return response
        }
    }
}

/// Reads one file field of a multipart form (RFC 7578) into a file.
private final class FormReader {
    /// Bytes that the form itself may take beside its file.
    static let overhead = 64 << 10

    private let field: String
    private let target: UploadTarget
    private var processor: OpaquePointer?
    private var writer: FileUpload?

    init(connection: OpaquePointer?, field: String, target: UploadTarget) {
        self.field = field
        self.target = target
        processor = MHD_create_post_processor(
            connection, 32 << 10,
            { context, _, key, filename, _, _, data, offset, size in
                guard let context, let key else { return .YES }
                let reader = Unmanaged<FormReader>.fromOpaque(context).takeUnretainedValue()
                reader.take(
                    key: String(cString: key), filename: filename.map { String(cString: $0) },
                    piece: UnsafeRawBufferPointer(start: data, count: size), offset: offset)
                return .YES
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { if let processor { MHD_destroy_post_processor(processor) } }

    func take(_ piece: UnsafeRawBufferPointer) {
        guard let processor else { return }
        MHD_post_process(
            processor, piece.baseAddress?.assumingMemoryBound(to: CChar.self), piece.count)
    }

    /// Takes a piece of a field; the first file of the wanted name counts.
    private func take(
        key: String, filename: String?, piece: UnsafeRawBufferPointer, offset: UInt64
    ) {
        guard key == field, let filename else { return }
        if writer == nil, offset == 0 { writer = FileUpload(target, name: filename) }
        guard let writer, writer.follows(offset) else { return }
        writer.write(piece)
    }

    func finish() -> Upload {
        if let processor {
            // What is still buffered is handed over here.
            MHD_destroy_post_processor(processor)
            self.processor = nil
        }
        defer { writer = nil }
        return writer?.finish() ?? .missing
    }
}
