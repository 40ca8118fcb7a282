import Glibc
import Synchronization

/// One request as it was read.
public struct ScriptedRequest: Sendable {
    public var method: String
    public var path: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8] = []

    /// The first header of that name.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What a server does with a request.
public enum ScriptedAnswer: Sendable {
    /// An ordinary answer, after which the connection is kept.
    case answer(status: Int, headers: [String] = [], body: [UInt8])
    /// These bytes and no more: the connection is closed.
    case bytes(String)
    /// The connection is closed without an answer.
    case close
    /// The connection is broken off with a reset.
    case reset

    /// A JSON answer.
    public static func json(_ text: String, status: Int = 200) -> Self {
        .answer(
            status: status, headers: ["Content-Type: application/json"], body: Array(text.utf8))
    }

    /// An empty answer.
    public static func status(_ status: Int) -> Self {
        .answer(status: status, body: [])
    }
}

/// One accepted connection. Its script reads and writes on one thread.
public final class ScriptedConnection: Sendable {
    let descriptor: Int32
    private let record: @Sendable (ScriptedRequest) -> Void
    private let isOpen = Mutex(true)
    /// What was read beyond the last request.
    private let unread = Mutex<[UInt8]>([])

    init(_ descriptor: Int32, record: @escaping @Sendable (ScriptedRequest) -> Void) {
        self.descriptor = descriptor
        self.record = record
    }

    // MARK: Reading

    /// The next request with its body; nil at the end of the connection.
    public func readRequest() -> ScriptedRequest? {
        guard var request = readHead() else { return nil }
        if request.header("Transfer-Encoding") != nil {
            guard let body = readChunks() else { return nil }
            request.body = body
        } else if let length = request.header("Content-Length").flatMap({ Int($0) }) {
            while request.body.count < length {
                let piece = read(atMost: length - request.body.count)
                guard !piece.isEmpty else { return nil }
                request.body += piece
            }
        }
        record(request)
        return request
    }

    /// The next request up to its body.
    public func readHead() -> ScriptedRequest? {
        guard let start = readLine() else { return nil }
        let words = start.split(separator: " ")
        guard words.count == 3 else { return nil }
        var request = ScriptedRequest(
            method: String(words[0]), path: String(words[1]), headers: [])
        while let line = readLine() {
            guard !line.isEmpty else { return request }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            request.headers.append((String(line[..<colon]), String(value)))
        }
        return nil
    }

    /// Waits for bytes; empty at the end of the connection.
    public func read(atMost count: Int = 1 << 16) -> [UInt8] {
        let kept = unread.withLock { unread in
            defer { unread = Array(unread.dropFirst(count)) }
            return Array(unread.prefix(count))
        }
        guard kept.isEmpty, isOpen.withLock({ $0 }) else { return kept }
        return [UInt8](unsafeUninitializedCapacity: min(count, 1 << 16)) { buffer, size in
            size = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        while true {
            let piece = read()
            guard !piece.isEmpty else { return nil }
            let end = piece.firstIndex(of: UInt8(ascii: "\n"))
            line += piece[..<(end ?? piece.endIndex)]
            guard let end else { continue }
            unread.withLock { $0.insert(contentsOf: piece[(end + 1)...], at: 0) }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            return String(decoding: line, as: UTF8.self)
        }
    }

    private func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = readLine(), let count = Int(line, radix: 16) {
            let end = body.count + count
            while body.count < end {
                let piece = read(atMost: end - body.count)
                guard !piece.isEmpty else { return nil }
                body += piece
            }
            guard readLine() == "" else { return nil }
            if count == 0 { return body }
        }
        return nil
    }

    // MARK: Writing

    /// Sends all bytes. False when the other end is gone.
    @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard isOpen.withLock({ $0 }) else { return false }
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    @discardableResult public func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    /// Is silent for a while: for tests of time limits, in which time itself has to pass.
    public func pause(milliseconds: UInt32) {
        usleep(milliseconds * 1000)
    }

    /// Carries out an answer. False when the connection is over.
    @discardableResult public func send(_ answer: ScriptedAnswer) -> Bool {
        switch answer {
        case .answer(let status, let headers, let body):
            var head = "HTTP/1.1 \(status) Scripted\r\n"
            for header in headers { head += header + "\r\n" }
            if status != 204 { head += "Content-Length: \(body.count)\r\n" }
            return write(Array((head + "\r\n").utf8) + body)
        case .bytes(let text): write(text)
        case .close: break
        case .reset: reset()
        }
        close()
        return false
    }

    // MARK: Ending

    /// Closes in good order.
    public func close() {
        isOpen.withLock { isOpen in
            if isOpen { Glibc.close(descriptor) }
            isOpen = false
        }
    }

    /// Breaks off with a reset (RST).
    public func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends a script that waits, from another thread.
    func interrupt() {
        isOpen.withLock { isOpen in
            if isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
