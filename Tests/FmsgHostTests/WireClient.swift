import FmsgCore
import Glibc
import TestSupport

/// A connection of the tests' own: bytes over a socket, with nothing done for the caller.
final class WireConnection {
    enum Failure: Error { case connect, closed, malformed }

    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // A test that waits for what never comes fails instead of hanging.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure.connect }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.closed }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes, at least one.
    func readSome() throws -> [UInt8] {
        if !buffer.isEmpty {
            defer { buffer = [] }
            return buffer
        }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw Failure.closed }
        return Array(chunk[..<count])
    }

    private func fill() throws {
        let more = try readSome()
        buffer += more
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var taken: [UInt8] = []
        while taken.count < count {
            let more = try readSome()
            taken += more
        }
        buffer = Array(taken[count...])
        return Array(taken[..<count])
    }

    /// Reads one HTTP answer: its head, and as many bytes of body as that announces.
    func readResponse() throws -> TransportResponse {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try take(1) }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure.malformed }
        let headers = lines.dropFirst().compactMap { line -> Header? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return Header(
                String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })
            )
        }
        var response = TransportResponse(status: status, headers: headers)
        if status == 100 { return try readResponse() }
        if status == 101 || status == 204 { return response }
        guard let length = response.header("Content-Length").flatMap({ Int($0) }) else {
            throw Failure.malformed
        }
        response.body = try take(length)
        return response
    }
}

/// A user of a host, on one kept connection.
final class WireClient {
    let port: UInt16
    let name: String
    var token = ""
    private var connection: WireConnection

    /// Connects and exchanges the API key.
    init(port: UInt16, _ name: String, key: String) throws {
        self.port = port
        self.name = name
        connection = try WireConnection(port: port)
        let answer = try request("POST", "/fmsg/token", authorization: "Bearer \(key)")
        token = answer.json?[Field.accessToken]?.string ?? ""
    }

    convenience init(_ host: TestHost, _ name: String, key: String? = nil) throws {
        try self.init(port: host.port, name, key: key ?? host.key(name))
    }

    var address: String { TestHost.address(name) }

    @discardableResult
    func request(
        _ method: String, _ path: String, _ body: [UInt8] = [], type: String = "application/json",
        authorization: String? = nil, headers: [Header] = []
    ) throws -> TransportResponse {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: test"]
        let authorization = authorization ?? "Bearer \(token)"
        if !authorization.isEmpty { lines.append("Authorization: \(authorization)") }
        lines += headers.map { "\($0.name): \($0.value)" }
        if !body.isEmpty || method != "GET" {
            lines += ["Content-Type: \(type)", "Content-Length: \(body.count)"]
        }
        try connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let response = try connection.readResponse()
        if response.header("Connection")?.lowercased() == "close" {
            connection = try WireConnection(port: port)
        }
        return response
    }

    @discardableResult
    func request(_ method: String, _ path: String, json: JSONObject) throws -> TransportResponse {
        try request(method, path, JSON.object(json).bytes)
    }

    /// Makes a draft and returns its id; 0 when it was refused.
    func draft(
        to recipients: [String], _ data: String = "hello", _ more: JSONObject = [:]
    ) throws -> Int64 {
        let body = draftBody(to: recipients, data, more)
        return try request("POST", "/fmsg", json: body).json?[Field.id]?.int64 ?? 0
    }

    func draftBody(
        to recipients: [String], _ data: String = "hello", _ more: JSONObject = [:]
    ) -> JSONObject {
        var body: JSONObject = [
            Field.version: .integer(1), Field.from: .string(address),
            Field.to: .strings(recipients),
            Field.type: .string("text/plain"), Field.size: .integer(data.utf8.count),
            Field.data: .string(data),
        ]
        for field in more.fields { body[field.key] = field.value }
        return body
    }

    /// Makes a draft, sends it and returns its id.
    @discardableResult
    func send(
        to recipients: [String], _ data: String = "hello", _ more: JSONObject = [:]
    ) throws -> Int64 {
        let id = try draft(to: recipients, data, more)
        let answer = try request("POST", "/fmsg/\(id)/send")
        return answer.status == 200 ? id : 0
    }

    func message(_ id: Int64) throws -> JSONObject? { try request("GET", "/fmsg/\(id)").json }

    func list(_ query: String = "") throws -> [JSONObject] {
        let answer = try request("GET", "/fmsg\(query)")
        return (try JSON.read(answer.body)).array?.compactMap(\.object) ?? []
    }

    /// Uploads a file under a name, as a form of one part.
    @discardableResult
    func attach(
        _ id: Int64, _ filename: String, _ content: [UInt8], field: String = "file"
    ) throws -> TransportResponse {
        let head = """
            --BOUND\r\nContent-Disposition: form-data; name="\(field)"; filename="\(filename)"\r\n\
            Content-Type: text/plain\r\n\r\n
            """
        return try request(
            "POST", "/fmsg/\(id)/attach",
            Array(head.utf8) + content + Array("\r\n--BOUND--\r\n".utf8),
            type: "multipart/form-data; boundary=BOUND")
    }
}

extension TransportResponse {
    var json: JSONObject? { (try? JSON.read(body))?.object }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// The permission bits of a file; 0 when there is none.
func permissions(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
